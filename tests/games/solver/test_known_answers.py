"""Decks whose answers other programs have proved."""

import csv
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from games.rule_sets.counting import random_deal
from games.rules import RULE_SETS, Deck, Position
from games.solver import Solution, Status, find_win, is_winnable, solve
from games.solver.verdict import has_exact_verdict, verdict

with (Path(__file__).parents[2] / "data" / "decks.csv").open() as file:
    DECKS = list(csv.DictReader(file))
VERDICTS = [column for column in DECKS[0] if column in RULE_SETS]
# Each rule set is searched on other decks; `make rates` searches all.
SHARES = 1 if os.environ.get("SOLVER_POSITIONS") else 12


def deal(row: dict[str, str], slug: str) -> Position:
    return Position.deal(Deck.from_text(row["deck"]), RULE_SETS[slug])


def share(slug: str) -> list[dict[str, str]]:
    return DECKS[VERDICTS.index(slug) % SHARES :: SHARES]


def test_every_shortest_length_under_relaxed_is_the_published_one() -> None:
    for row in DECKS[::SHARES]:
        published = int(row["relaxed_shortest"]) if row["relaxed_shortest"] else None
        assert solve(deal(row, "relaxed")).length == published, row["deck"]


@pytest.mark.parametrize("slug", VERDICTS)
def test_verdicts_are_the_known_ones(slug: str) -> None:
    for row in share(slug):
        assert is_winnable(deal(row, slug)) == (row[slug] == "1"), row["deck"]


@pytest.mark.parametrize("slug", [slug for slug in VERDICTS if has_exact_verdict(RULE_SETS[slug])])
def test_the_verdict_without_a_search_is_the_known_one(slug: str) -> None:
    for row in share(slug):
        assert verdict(deal(row, slug)) == (row[slug] == "1"), row["deck"]


@pytest.mark.parametrize("slug", VERDICTS)
def test_a_solution_replays_wins_and_is_not_impossibly_short(slug: str) -> None:
    for row in share(slug)[:20]:
        position = deal(row, slug)
        solution = solve(position)
        for move in solution.moves:
            position = position.after(move)
        if solution.status is Status.SOLVED:
            assert position.is_won
            assert len(solution.moves) >= (14 if RULE_SETS[slug].overlap else 15)


def test_a_needed_card_that_draws_of_three_never_uncover_is_seen_without_a_search() -> None:
    """No four but with a nine, and the nine of diamonds lies below a jack that nothing in the pyramid takes."""
    deck = "5c8dAd4hAh8s7sKd5hJcAs3c8cAc7d6s9cJd9hJsTs4c8hTh7c4s4dQd9dJhKsTcQc2c2d6h9s3d6cKh3s5s5d7hQsTd6dQh2sKc3h2h"
    solution = solve(Position.deal(Deck.from_text(deck), RULE_SETS["tuts-tomb"]))
    assert (solution.status, solution.nodes) == (Status.UNWINNABLE, 0)


@pytest.mark.parametrize("question", [solve, find_win])
def test_a_deal_of_apophis_that_no_order_of_its_stock_could_win_is_lost_without_a_search(
    question: Callable[[Position], Solution],
) -> None:
    rules = RULE_SETS["apophis"]
    solution = question(Position.deal(random_deal(10, rules), rules))
    assert (solution.status, solution.nodes) == (Status.UNWINNABLE, 0)


def test_an_odd_number_of_equals_without_neighbours_is_seen_without_a_search() -> None:
    text = "2c/2d9c/------/--------/----------/------------/-------------- |5c5d9d2h5h9h2s 0"
    win = find_win(Position.from_text(text, RULE_SETS["cheops"]))
    assert (win.status, win.nodes) == (Status.UNWINNABLE, 1)
