"""Dead ends that a few ranks prove: they are dead ends, and they decide deals that nothing else decides."""

import os
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from games.rule_sets.counting import random_deal
from games.rules import RULE_SETS, Move, Position, RuleSet
from games.solver import Status, find_win, solution
from games.solver.packing_wide import search_columns
from games.solver.searches import PLAIN, Step
from tests.games.solver.plain import solved
from tests.games.solver.test_agrees_with_plain_search import WITH_CELLS

# `make rates` tries more.
POSITIONS = int(os.environ.get("SOLVER_POSITIONS", "2"))

ELEVENS = replace(RULE_SETS["cell"], slug="elevens", match=RULE_SETS["eleven-triangle"].match)
NEIGHBOURS = replace(RULE_SETS["cell"], slug="neighbours", match=RULE_SETS["cheops"].match)
TWO_DECKS = ("double-pyramid", "two-pyramids", "up-and-down")
WALKED: dict[str, RuleSet] = {
    **WITH_CELLS,
    "cell": RULE_SETS["cell"],
    "seven-reserve": RULE_SETS["seven-reserve"],
    "elevens": ELEVENS,
    "cheops": RULE_SETS["cheops"],
    "neighbours": NEIGHBOURS,
    **{slug: RULE_SETS[slug] for slug in TWO_DECKS},
}


@pytest.fixture(params=[1, 2, 3])
def together(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Give the parts so many classes of ranks, or ranks, and have them looked at from the first node on."""
    classes: int = request.param
    monkeypatch.setattr(solution, "searches_of", lambda rules, is_any: (Step(search_columns, classes),))
    return classes


@pytest.mark.parametrize("name", WALKED)
def test_with_a_look_at_parts_any_win_agrees_with_a_plain_search(name: str, together: int) -> None:
    random = Random(f"{name} {together}")
    for position, fewest in solved(WALKED[name], random, POSITIONS):
        win = find_win(position)
        assert win.is_winnable == (fewest is not None), position.text
        assert line(position, win.moves)[-1].is_won == (fewest is not None), position.text


@pytest.mark.parametrize("slug", ["cell", "cheops", "seven-reserve", *TWO_DECKS])
def test_no_position_on_the_way_to_a_win_is_called_lost(slug: str, together: int) -> None:
    for number in range(1, 1 + POSITIONS):
        start = deal(slug, number)
        moves, _proved, _nodes = search_columns(start, 100_000, PLAIN)
        for position in line(start, moves)[::5] if moves else ():
            assert find_win(position, node_limit=2_000).status is not Status.UNWINNABLE, position.text


@pytest.mark.parametrize(
    ("slug", "number", "nodes"),
    [
        ("cell", 12, 150_000),
        ("cell", 72, 25_000),
        ("cell", 285, 50_000),
        ("cell", 1886, 600_000),
        ("cheops", 242, 25_000),
        ("seven-reserve", 23, 25_000),
    ],
)
def test_a_deal_that_a_million_nodes_left_open_is_lost(slug: str, number: int, nodes: int) -> None:
    assert find_win(deal(slug, number), node_limit=nodes).status is Status.UNWINNABLE


@pytest.mark.parametrize(
    ("slug", "number"), [("double-pyramid", 1), ("two-pyramids", 94), ("up-and-down", 23), ("cheops", 745)]
)
def test_a_deal_that_a_million_nodes_left_open_is_won(slug: str, number: int) -> None:
    start = deal(slug, number)
    assert line(start, find_win(start, node_limit=200_000).moves)[-1].is_won


def deal(slug: str, number: int) -> Position:
    return Position.deal(random_deal(number, RULE_SETS[slug]), RULE_SETS[slug])


def line(position: Position, moves: Iterable[Move]) -> list[Position]:
    """Return the positions of a line, from the first to the last."""
    positions = [position]
    for move in moves:
        positions.append(positions[-1].after(move))
    return positions
