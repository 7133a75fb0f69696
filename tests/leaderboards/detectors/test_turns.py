"""Accounts that take turns: found without any link, while habits alone list nobody."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboards.detectors.findings import Strength
from leaderboards.detectors.thresholds import THRESHOLDS
from leaderboards.detectors.turns import DAY_MS, Meeting, Pairs, Visit, value

MONDAY = 1_772_409_600_000  # 2026-03-02
HOUR = 3_600_000


def left(day: int, hour: float, account: str = "mallory") -> Visit:
    at = MONDAY + day * DAY_MS + round(hour * HOUR)
    return Visit(f"{account}-{day}", account, f"deal {day}", at - 60_000, at, is_won=False)


def won(day: int, hour: float, account: str = "bob") -> Visit:
    at = MONDAY + day * DAY_MS + round(hour * HOUR)
    return Visit(f"{account}-{day}", account, f"deal {day}", at, at + 300_000, is_won=True)


def listed(*visits: Visit) -> dict[str, tuple[str, ...]]:
    """Return the games of each account that is found."""
    pairs = Pairs()
    for visit in sorted(visits, key=lambda own: own.ended_ms):
        pairs.add(visit)
    found = dict(pairs.findings())
    assert {finding.strength for finding in found.values()} <= {Strength.WATCH}
    return {account: finding.games for account, finding in found.items()}


def crowd(days: range) -> list[Visit]:
    """Return people who win at hours of their own, and a few who leave."""
    dice = Random("crowd")
    people = [won(day, dice.uniform(0, 23), f"winner {n}") for n in range(10) for day in days]
    return people + [left(day, dice.uniform(0, 23), f"quitter {n}") for n in range(3) for day in days]


@given(hours=st.lists(st.tuples(st.integers(0, 46), st.integers(0, 46)), min_size=1, max_size=5))
def test_the_mean_over_all_assignments_of_the_times_is_one(hours: list[tuple[int, int]]) -> None:
    lefts = [left(day, gone / 2) for day, (gone, _) in enumerate(hours)]
    values = [
        value([Meeting(gone, won(day, came / 2)) for day, (gone, came) in enumerate(zip(lefts, times, strict=True))])
        for times in permutations(came for _, came in hours)
    ]
    assert sum(values) / len(values) == pytest.approx(1)


def test_weekdays_and_weekends_have_times_of_their_own() -> None:
    """Both sleep longer at weekends; within each kind of day the times are always the same, which proves nothing."""
    hours = [7, 7, 7, 7, 7, 11, 11] * 2
    met = [Meeting(left(day, hour), won(day, hour + 0.5)) for day, hour in enumerate(hours)]
    assert value(met) == pytest.approx(1)


def test_two_who_take_turns_at_changing_times_are_found_in_a_crowd_without_a_link() -> None:
    dice, days = Random("turns"), range(12)
    hours = [dice.uniform(0, 22) for _ in days]
    turns = [visit for day in days for visit in (left(day, hours[day]), won(day, hours[day] + 0.3))]
    found = listed(*crowd(days), *turns)
    assert set(found) == {"mallory", "bob"}
    assert found["bob"][0] == "bob-11"  # the newest first
    assert found["mallory"] == tuple(f"mallory-{day}" for day in reversed(days))


def test_an_hour_that_is_the_same_every_day_lists_nobody() -> None:
    days = range(16)
    regular = [visit for day in days for visit in (left(day, 20), won(day, 20.5))]
    assert listed(*crowd(days), *regular) == {}


def test_who_begins_before_the_other_has_left_or_long_after_is_not_found() -> None:
    dice, days = Random("apart"), range(12)
    hours = [dice.uniform(3, 18) for _ in days]
    apart = THRESHOLDS.turns_ms / HOUR + 0.1
    for later in (-0.1, apart):
        visits = [visit for day in days for visit in (left(day, hours[day]), won(day, hours[day] + later))]
        assert "bob" not in listed(*crowd(days), *visits)


def test_of_many_honest_pairs_with_habits_hardly_any_is_listed() -> None:
    """Each has an hour that is liked; 20 leave and 20 win, so 400 pairs meet on 16 deals."""
    dice, days = Random("habits"), range(16)
    visits = []
    for person in range(40):
        usual = dice.uniform(4, 18)
        for day in days:
            hour = min(23.0, max(0.0, dice.gauss(usual, 2)))
            kind = left if person % 2 else won
            visits.append(kind(day, hour, f"person {person}"))
    assert listed(*visits) == {}
