"""The null of the bet as `make bench-integrity` simulates it, at a small size."""

from __future__ import annotations

import numpy as np
import pytest

from leaderboards.detectors.foresight import Placed, placed
from leaderboards.detectors.fortunes import Fortune
from leaderboards.detectors.sampled_orders import Orders
from tests.bench.integrity.null import highest_fortunes, redrawn
from tests.leaderboards.detectors.games import QUICK, choices, deal, game

SURE = Placed(seen=12, ranks=(5,), chances=(1.0,), factors=((2.0, 1.0, 0.5, 1.0, 1.0),))


def test_it_adds_up_as_a_fortune_does() -> None:
    fortune = Fortune.of(5)
    for _ in range(7):
        fortune = fortune.after(SURE.factors[0])
    assert highest_fortunes([(SURE,)], 3, 7, "any", redrawn) == pytest.approx([fortune.highest] * 3)


def test_honest_accounts_keep_within_the_bound() -> None:
    games = [
        tuple(placed(game(choices(style, seed), seed), Orders(deal(seed))))
        for style in ("careless", "casual")
        for seed in QUICK
    ]
    highest = highest_fortunes(games, 4_000, 60, "a seed", redrawn)
    for limit in (10, 100, 1_000):
        assert np.mean(highest >= limit) <= 1 / limit


def test_the_same_seed_gives_the_same_fortunes() -> None:
    coin = Placed(12, (1, 2), (0.5, 0.5), ((1.5,) * 5, (0.5,) * 5))
    assert (
        highest_fortunes([(coin,)], 50, 20, "a", redrawn) == highest_fortunes([(coin,)], 50, 20, "a", redrawn)
    ).all()
    assert (
        highest_fortunes([(coin,)], 50, 20, "a", redrawn) != highest_fortunes([(coin,)], 50, 20, "b", redrawn)
    ).any()
