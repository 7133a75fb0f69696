"""The lists of a day: e-BH, and what it says about those who are named."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboards.detectors.naming import NAMED_SHARE, naming

VALUES = st.lists(st.floats(0, 1e9), max_size=60)
LEVELS = 12  # of the counterexample: its accounts come to 100, 200, 400 ... and lose everything
ACCOUNTS = 2**LEVELS


@given(values=VALUES, others=st.integers(0, 1000), share=st.sampled_from([0.01, 0.1, 0.5]))
def test_the_list_is_the_longest_that_its_own_length_allows(values: list[float], others: int, share: float) -> None:
    accounts = len(values) + others
    listed = naming(values, accounts, share)
    ordered = sorted(values, reverse=True)
    allowed = [k for k in range(1, len(values) + 1) if ordered[k - 1] >= accounts / (k * share) * (1 - 1e-12)]
    assert listed.named == max(allowed, default=0)
    assert sum(value >= listed.bar * (1 - 1e-12) for value in values) == listed.named


@given(values=VALUES, share=st.sampled_from([0.01, 0.1]))
def test_values_too_small_for_any_list_may_be_left_out(values: list[float], share: float) -> None:
    few = [value for value in values if value >= 1 / share]
    assert naming(few, len(values), share) == naming(values, len(values), share)


@pytest.mark.parametrize(
    ("values", "accounts", "named", "bar"),
    [
        ([100.0], 1, 1, 100.0),
        ([99.0], 1, 0, 100.0),
        ([9_999.0, 5_000.0], 100, 2, 5_000.0),
        ([9_999.0, 4_999.0], 100, 0, 10_000.0),
        ([], 1_000_000, 0, 100_000_000.0),
        ([25_000.0] * 4_000, 1_000_000, 4_000, 25_000.0),
    ],
)
def test_an_account_alone_needs_more_than_one_among_many(
    values: list[float], accounts: int, named: int, bar: float
) -> None:
    listed = naming(values, accounts, NAMED_SHARE)
    assert listed.named == named
    assert listed.bar == pytest.approx(bar)


def worlds(number: int, dice: Random) -> list[tuple[list[float], list[float]]]:
    """Return the highest fortunes of those honest accounts that ever have more than 1, and theirs at the close.

    Their fates hang together, as those of players on one deal may: one time in so many some of them, the fewer the
    more it is, come together to a level at which just so many are named. Then they bet it all, and lose.
    """
    made = []
    for _ in range(number):
        level = next((one for one in range(LEVELS) if dice.random() < NAMED_SHARE / 2), LEVELS + 1)
        rising = ACCOUNTS >> level
        made.append(([2.0**level / NAMED_SHARE] * rising, [0.0] * rising))
    return made


def test_on_the_highest_values_honest_accounts_are_named_far_too_often_and_on_those_of_the_close_they_are_not() -> None:
    named = {"highest": 0, "close": 0}
    made = worlds(2000, Random(1))
    for highest, close in made:
        named["highest"] += naming(highest, ACCOUNTS, NAMED_SHARE).named > 0
        named["close"] += naming(close, ACCOUNTS, NAMED_SHARE).named > 0
    assert named["highest"] / len(made) > 3 * NAMED_SHARE
    assert named["close"] / len(made) <= NAMED_SHARE
