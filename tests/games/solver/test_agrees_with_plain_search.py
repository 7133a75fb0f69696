"""On small positions of every rule set the solver and a breadth-first search over positions agree."""

import os
from dataclasses import replace
from functools import reduce
from random import Random

import pytest

from games.rules import RULE_SETS, Goal, Peak, Position, RuleSet
from games.solver import find_win, is_winnable, solve
from games.solver.verdict import has_exact_verdict, verdict
from tests.games.solver.plain import small_position, solved

# `make rates` tries more.
POSITIONS = int(os.environ.get("SOLVER_POSITIONS", "4"))


SEVERAL_AT_ONCE = {  # what a draw leaves below its last card comes up only when that has gone
    f"draw-{draw}-passes-{passes}-{overlap}": RuleSet(
        "several", tableau=(Peak(3),), draw=draw, passes=passes, overlap=overlap
    )
    for draw, passes, overlap in [(2, None, False), (3, 2, False), (3, None, True), (4, None, False)]
}


@pytest.mark.parametrize("name", SEVERAL_AT_ONCE)
def test_draws_of_several_cards_agree_with_a_plain_search(name: str) -> None:
    random = Random(name)
    for position, fewest in solved(SEVERAL_AT_ONCE[name], random, POSITIONS):
        solution = solve(position)
        assert solution.length == fewest, position.text
        assert is_winnable(position) == solution.is_winnable, position.text


WITH_CELLS = {
    f"{cells}-cells-passes-{passes}-{goal}-{overlap}": replace(
        RULE_SETS["cell"], tableau=(Peak(4),), cells=cells, passes=passes, goal=goal, overlap=overlap
    )
    for cells, passes, overlap in [(1, 1, True), (1, 2, False), (2, 3, True), (2, None, False)]
    for goal in Goal
}


@pytest.mark.parametrize("name", WITH_CELLS)
def test_walking_through_the_stock_agrees_with_a_plain_search(name: str) -> None:
    random = Random(name)
    for position, fewest in solved(WITH_CELLS[name], random, POSITIONS):
        win = find_win(position)
        assert win.is_winnable == (fewest is not None), position.text
        assert reduce(Position.after, win.moves, position).is_won == (fewest is not None)


def test_a_card_is_parked_in_the_last_cell_so_that_another_may_leave_with_the_one_that_covers_it() -> None:
    rules = WITH_CELLS[f"1-cells-passes-1-{Goal.ALL}-True"]
    start = Position.from_text("Jc/4sQh/2d9s--/-------- |6c9d4h7cAd5h 0 c:8c", rules)
    assert find_win(start).is_winnable


@pytest.mark.parametrize("slug", RULE_SETS)
def test_lengths_and_verdicts_agree_with_a_plain_search(slug: str) -> None:
    rules, random = RULE_SETS[slug], Random(slug)
    for position, fewest in solved(rules, random, POSITIONS):
        solution = solve(position)
        assert solution.length == fewest, position.text
        assert is_winnable(position) == (fewest is not None), position.text
        if has_exact_verdict(rules):
            assert verdict(position) == (fewest is not None), position.text
        assert fewest is None or reduce(Position.after, solution.moves, position).is_won


@pytest.mark.parametrize(
    "slug", ["relaxed", "king-tut", "classic", "giza", "three-piles", "seven-reserve", "covered-pairs"]
)
def test_alice_can_ask_in_the_middle_of_a_game(slug: str) -> None:
    random = Random(slug)
    position = small_position(RULE_SETS[slug], random)
    while position.legal_moves:
        before = solve(position)
        position = position.after(random.choice(position.legal_moves))
        after = solve(position)
        assert before.length is None or after.length is None or after.length >= before.length - 1
        assert before.is_winnable or not after.is_winnable
        if not position.legal_moves or random.random() < 0.05:
            return
