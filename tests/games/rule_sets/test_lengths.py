"""The lengths of shortest wins: those that are known elsewhere, and those of the table and its picture."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from games.rule_sets.counting import judge, judge_deals
from games.rule_sets.lengths import Lengths, lengths
from games.rules import RULE_SETS, Deck
from tests.bench.lengths import PICTURE, drawn, rows
from tests.games.solver.test_known_answers import DECKS

FAMILY = Path(__file__).parents[3] / "docs" / "family.md"
FEW = 12


def test_the_shortest_wins_of_decks_are_as_long_as_another_program_proved() -> None:
    rules, few = RULE_SETS["relaxed"], DECKS[7::25]
    judged = [judge(rules, 0, Deck.from_text(row["deck"]), None, shortest=True) for row in few]
    assert [str(row.shortest or "") for row in judged] == [row["relaxed_shortest"] for row in few]


@pytest.mark.parametrize("slug", lengths())
def test_the_shortest_wins_of_the_first_deals_are_among_those_that_were_counted(slug: str) -> None:
    found = Counter(row.shortest for row in judge_deals(slug, None, range(1, FEW + 1), shortest=True))
    del found[None]
    assert found <= Counter(lengths()[slug].wins)


def test_rules_that_only_show_more_have_shortest_wins_of_the_same_lengths() -> None:
    for hidden, shown in (
        ("standard", "face-up-stock"),
        ("dark-pyramid", "open-pyramid"),
        ("classic", "pyramid-thirteen"),
    ):
        assert lengths()[hidden].wins == lengths()[shown].wins


def test_so_many_of_the_wins_are_not_longer_than_a_quantile() -> None:
    counted = Lengths(20, 1.0, {30: 1, 33: 8, 40: 1})
    assert [counted.quantile(share) for share in (0, 0.1, 0.11, 0.9, 0.91, 1)] == [30, 30, 33, 33, 40, 40]


def test_the_documents_have_the_table_and_the_picture_of_the_lengths() -> None:
    page = FAMILY.read_text(encoding="utf-8")
    assert [row for row in rows() if row not in page] == []
    assert PICTURE.read_text(encoding="ascii") == drawn()
