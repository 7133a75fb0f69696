"""The sequential test: fair on average at any time, and it finds those who start cheating late."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboards.detectors.fortunes import MOST, Fortune

chances = st.floats(0.01, 0.99)
fair_bets = st.lists(st.tuples(chances, st.floats(0.0, 1.0)), min_size=1, max_size=6)


def after(*factors: float) -> Fortune:
    fortune = Fortune.of(1)
    for factor in factors:
        fortune = fortune.after((factor,))
    return fortune


@given(fair_bets)
def test_fair_bets_neither_raise_nor_lower_a_fortune_on_average(bets: list[tuple[float, float]]) -> None:
    mean = 0.0
    for outcome in product((True, False), repeat=len(bets)):
        likelihood, factors = 1.0, []
        for has_won, (chance, staked) in zip(outcome, bets, strict=True):
            likelihood *= chance if has_won else 1 - chance
            factors.append(1 - staked + (staked / chance if has_won else 0.0))
        mean += likelihood * after(*factors).value
    assert mean == pytest.approx(1)


def test_a_fortune_begins_with_one_and_games_without_bets_leave_it_there() -> None:
    assert Fortune.of(5).value == 1
    assert after(*[1.0] * 50).value == pytest.approx(1)


def test_mallory_who_begins_after_fifty_games_is_found_little_later_than_one_who_begins_at_once() -> None:
    at_once = after(*[3.0] * 12)
    late = after(*[0.5] * 50, *[3.0] * 16)
    assert at_once.value > 1e4
    assert late.value > 1e4


def test_the_highest_stays_when_a_fortune_falls_again() -> None:
    fortune = after(3.0, 3.0, 0.01)
    assert fortune.value < 1
    assert fortune.highest == pytest.approx(after(3.0, 3.0).value)


def test_stakes_are_kept_apart_and_their_mean_counts() -> None:
    fortune = Fortune.of(2).after((4.0, 0.0)).after((4.0, 4.0))
    assert fortune.value == pytest.approx((after(4.0, 4.0).value + after(0.0, 4.0).value) / 2)


def test_a_fortune_stays_a_number_however_long_a_bot_plays() -> None:
    assert after(*[1e9] * 100).value <= 2 * MOST
