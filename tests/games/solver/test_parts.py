"""Dead ends that a few ranks prove: they are dead ends, and they decide deals of `cell` that nothing else decides."""

import os
from dataclasses import replace
from random import Random

import pytest

from games.rule_sets.counting import random_deal
from games.rules import RULE_SETS, Position, RuleSet
from games.solver import Solution, Status, find_win, packing_wide
from tests.games.solver.plain import fewest_actions, small_position
from tests.games.solver.test_agrees_with_plain_search import WITH_CELLS

# `make rates` tries more.
POSITIONS = int(os.environ.get("SOLVER_POSITIONS", "6"))

ELEVENS = replace(RULE_SETS["cell"], slug="elevens", match=RULE_SETS["eleven-triangle"].match)
WALKED: dict[str, RuleSet] = {
    **WITH_CELLS,
    "cell": RULE_SETS["cell"],
    "elevens": ELEVENS,
}


@pytest.fixture(params=[1, 2, 3])
def together(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Give the parts so many classes of ranks, and have them looked at from the first node on."""
    classes: int = request.param
    monkeypatch.setattr(packing_wide, "SOON", 0)
    monkeypatch.setattr(packing_wide, "TOGETHER", classes)
    return classes


@pytest.mark.parametrize("name", WALKED)
def test_with_a_look_at_parts_any_win_agrees_with_a_plain_search(name: str, together: int) -> None:
    random = Random(f"{name} {together}")
    for _ in range(POSITIONS):
        position = small_position(WALKED[name], random)
        try:
            fewest = fewest_actions(position, 50_000)
        except OverflowError:
            continue
        win = find_win(position)
        assert win.is_winnable == (fewest is not None), position.text
        assert line(position, win)[-1].is_won == (fewest is not None), position.text


def test_no_position_on_the_way_to_a_win_is_called_lost(together: int) -> None:
    for number in range(1, 1 + POSITIONS):
        start = deal(number)
        for position in line(start, find_win(start, node_limit=10_000)):
            assert find_win(position, node_limit=2_000).status is not Status.UNWINNABLE, position.text


@pytest.mark.parametrize(("number", "nodes"), [(12, 150_000), (72, 25_000), (285, 50_000)])
def test_a_deal_of_cell_that_a_million_nodes_left_open_is_lost(number: int, nodes: int) -> None:
    assert find_win(deal(number), node_limit=nodes).status is Status.UNWINNABLE


def deal(number: int) -> Position:
    return Position.deal(random_deal(number, RULE_SETS["cell"]), RULE_SETS["cell"])


def line(position: Position, win: Solution) -> list[Position]:
    """Return the positions of a line, from the first to the win."""
    positions = [position]
    for move in win.moves:
        positions.append(positions[-1].after(move))
    return positions
