"""The null of the bets as the benches simulate it, at a small size."""

from __future__ import annotations

import numpy as np
import pytest

from games.deals.certify import can_be_won
from games.deals.grading import Grade, grade_of
from games.rules import Deck
from leaderboards.detectors.foresight import Placed, placed
from leaderboards.detectors.fortunes import Fortune
from leaderboards.detectors.sampled_orders import Orders
from tests.bench.integrity import certified
from tests.bench.integrity.certified import Betted
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


def test_orders_drawn_again_among_those_compared_pay_one_on_average() -> None:
    played = Betted(waste=((0, 3, 4, 4, 1), (2, 0, 4)), is_won=True, seconds=0)
    again = certified.redrawn(played, 40_000, np.random.default_rng(1))
    assert again.mean(axis=0) == pytest.approx([1] * 5, abs=0.02)
    assert (again.max(axis=0) >= np.array(played.factors) - 1e-12).all()
    assert certified.redrawn(Betted((), is_won=False, seconds=0), 3, np.random.default_rng(1)) == pytest.approx(1)


def test_an_order_that_wastes_less_than_the_true_one_fits_better_and_one_that_wastes_as_much_counts_half() -> None:
    assert certified.share_fitting_better((2, 0, 2, 3, 4)) == pytest.approx(1.5 / 4)


def test_a_deal_of_the_measurement_is_found_as_that_of_a_day_is() -> None:
    start, grade = certified.dealt("relaxed", "a seed", 1)
    assert grade is Grade.EASY
    deck = Deck((*start.layout.cards, *start.stock))
    assert can_be_won(deck, start.rules)
    assert grade_of(deck, start.rules) is grade
