"""Sampled orders of the stock, and the choices that waste moves under them, counted by bisection."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest

from games.solver.orders import Progress, Pyramid
from leaderboards.detectors.sampled_orders import Lengths, Orders
from leaderboards.detectors.wasted_moves import Choice, wasteful
from tests.leaderboards.detectors.games import QUICK, choices, deal, game

SEEN, SINCE = 17, 11


def everywhere(orders: Orders) -> np.ndarray:
    return np.arange(len(orders.stocks(SEEN)))


def line_of(style: str, orders: Orders) -> tuple[Progress, list[Choice]]:
    """Return where somebody stood after some cards, and the moves from there to the draw of a later one."""
    steps = game(choices(style)).steps
    drawn = [number for number, step in enumerate(steps) if step.turned]
    line = [Choice.of(step, orders) for step in steps[: drawn[SEEN] + 1]]
    return line[drawn[SINCE]].after, line[drawn[SINCE] + 1 :]


@pytest.mark.parametrize("style", ["thinker", "slips 20 %"])
def test_as_many_choices_waste_moves_as_are_found_one_by_one(style: str) -> None:
    orders = Orders(deal())
    before, line = line_of(style, orders)
    counted = wasteful(orders, SEEN, before, line)
    seen = [before, *(choice.after for choice in line)]
    needed = [orders.lengths(SEEN, progress, everywhere(orders)) for progress in seen]
    wasted = [after + 1 > earlier for earlier, after in pairwise(needed)]
    assert counted
    assert np.any(counted.removals + counted.draws)
    for kind, found in ((True, counted.removals), (False, counted.draws)):
        one_by_one = [waste for waste, choice in zip(wasted, line, strict=True) if choice.is_removal is kind]
        assert found.ravel().tolist() == np.sum(one_by_one, axis=0).tolist()


def test_each_order_is_solved_once_and_only_where_it_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    solve = Pyramid.lengths

    def watched(own: Pyramid, progress: Progress, stocks: np.ndarray, *, node_limit: int) -> Lengths:
        asked.append(len(stocks))
        return solve(own, progress, stocks, node_limit=node_limit)

    monkeypatch.setattr(Pyramid, "lengths", watched)
    orders = Orders(deal())
    before, _ = line_of("perfect", orders)
    whole = everywhere(orders)
    some = orders.lengths(SEEN, before, whole[5:9])
    everything = orders.lengths(SEEN, before, whole)
    assert everything[5:9].tolist() == some.tolist()
    assert orders.lengths(SEEN, before, whole).tolist() == everything.tolist()
    assert asked == [4, len(whole) - 4]


@pytest.mark.parametrize("seed", QUICK[:2])
def test_where_few_cards_are_left_every_order_is_looked_at(seed: int) -> None:
    orders = Orders(deal(seed))
    left = orders.stock[20:]
    stocks = orders.stocks(20)[:, 20:].tolist()
    by_rank = np.array(stocks).reshape(len(set(left)), 6, 4)
    assert {tuple(stock) for stock in stocks} == set(permutations(left))
    assert [set(own[:, 0]) for own in by_rank] == [{rank} for rank in sorted(set(left))]
