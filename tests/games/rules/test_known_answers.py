"""The decks with known answers in tests/data/decks.csv are whole, and their answers do not contradict each other."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from games.rules import RULE_SETS, Deck

FILE = Path(__file__).parents[2] / "data" / "decks.csv"


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    with FILE.open(encoding="ascii", newline="") as lines:
        return list(csv.DictReader(lines))


def test_there_are_750_different_decks_in_canonical_notation(rows: list[dict[str, str]]) -> None:
    assert len({row["deck"] for row in rows}) == len(rows) == 750
    assert all(Deck.from_text(row["deck"]).text == row["deck"] for row in rows)


def test_the_other_columns_are_rule_sets_and_answers(rows: list[dict[str, str]]) -> None:
    names = set(rows[0]) - {"deck", "relaxed_shortest"}
    assert names <= set(RULE_SETS)
    assert {row[name] for row in rows for name in names} == {"0", "1"}


def test_a_deck_has_a_shortest_solution_exactly_where_it_can_be_won(rows: list[dict[str, str]]) -> None:
    assert all(bool(row["relaxed_shortest"]) == (row["relaxed"] == "1") for row in rows)
    assert all(int(row["relaxed_shortest"] or 15) >= 15 for row in rows)


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("single-pass", "dark-pyramid"),  # closed stock, open stock
        ("single-pass", "standard"),  # one pass, any number
        ("dark-pyramid", "relaxed"),  # one pass, three
        ("classic", "par-pyramid"),
        ("classic", "dark-pyramid"),  # all cards, the tableau
        ("par-pyramid", "relaxed"),
        ("relaxed", "standard"),
        ("standard", "covered-pairs"),  # without covered pairs, with them
        ("classic", "classic-overlap"),
        ("king-tut", "tuts-tomb"),
        ("king-tut", "standard"),  # three cards per draw, one
        ("tuts-tomb", "covered-pairs"),
        ("three-piles", "standard"),
        ("no-waste", "dark-pyramid"),  # cards drawn over are gone, stay
    ],
)
def test_what_can_be_won_by_narrow_rules_can_be_won_by_wider_ones(
    rows: list[dict[str, str]], narrow: str, wide: str
) -> None:
    assert [row["deck"] for row in rows if row[narrow] > row[wide]] == []
