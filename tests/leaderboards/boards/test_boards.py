from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.deals.daily import DailyKey
from games.rules import RULE_SETS
from leaderboards.boards.catalog import BoardKey, Entrants, Period, boards_of

days = st.dates(date(2020, 1, 1), date(2100, 12, 31))
daily_keys = st.builds(
    DailyKey,
    day=days,
    rules=st.sampled_from([rule_set.slug for rule_set in RULE_SETS.values()]),
    division=st.sampled_from(["open", "main"]),
)


@given(daily_keys, st.sampled_from(Entrants))
def test_every_name_reads_back_as_its_key(daily: DailyKey, entrants: Entrants) -> None:
    for key in boards_of(daily, entrants):
        assert BoardKey.parse(str(key)) == key


@given(daily_keys)
def test_a_day_lies_in_every_period_on_whose_boards_it_counts(daily: DailyKey) -> None:
    for key in boards_of(daily, Entrants.PEOPLE):
        assert key.first <= daily.day <= key.last
        if key.days_that_count:
            assert BoardKey(Period.DAILY, daily.day, daily.rules, daily.division, Entrants.PEOPLE, "fewest-moves") in [
                *key.dailies()
            ]


def test_the_boards_of_a_day() -> None:
    day = DailyKey(date(2027, 1, 2), "standard", "open")
    assert [str(key) for key in boards_of(day, Entrants.PEOPLE)] == [
        "daily.2027-01-02.standard.open.fewest-moves",
        "daily.2027-01-02.standard.open.fastest",
        "all-time.standard.open.fewest-moves",
        "all-time.standard.open.fastest",
        "weekly.2026-W53.standard.open.points",
        "monthly.2027-01.standard.open.points",
    ]


def test_a_name_says_what_a_board_is_for() -> None:
    assert BoardKey.parse("daily.2026-11-20.tuts-tomb.open-bots.fastest") == BoardKey(
        Period.DAILY, date(2026, 11, 20), "tuts-tomb", "open", Entrants.BOTS, "fastest"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "daily",
        "daily.2026-11-20.standard.open",
        "daily.2026-11-20.standard.open.fewest-moves.more",
        "daily.2026-11-20.standard.open.fewest-moves\n",
        "Daily.2026-11-20.standard.open.fewest-moves",
        "daily.2026-02-30.standard.open.fewest-moves",
        "daily.2026-W47-5.standard.open.fewest-moves",
        "daily.20261120.standard.open.fewest-moves",
        "daily.0000-01-01.standard.open.fewest-moves",
        "daily.9999-12-31.standard.open.fewest-moves",
        "daily.2026-11-20.msc.open.fewest-moves",
        "daily.2026-11-20.poker.open.fewest-moves",
        "daily.2026-11-20.standard.open-cats.fewest-moves",
        "daily.2026-11-20.standard.open-.fewest-moves",
        "daily.2026-11-20.standard.-bots.fewest-moves",
        "daily.2026-11-20.standard.öffen.fewest-moves",
        "daily.2026-11-20.standard.open.slowest",
        "daily.2026-11-20.standard.open.points",
        "daily.२०२६-11-20.standard.open.fewest-moves",
        "daily.2026-11-20.standard.open\0.fewest-moves",
        "weekly.2026-W54.standard.open.points",
        "weekly.2026-11-20.standard.open.points",
        "weekly.2026-W47.standard.open.fastest",
        "weekly.W47.standard.open.points",
        "monthly.2026-13.standard.open.points",
        "monthly.2026.standard.open.points",
        "monthly.9999-12.standard.open.points",
        "all-time.2026.standard.open.fastest",
        "all-time.standard.open.points",
        "all-time.standard.open-assisted.fastest",
        "all-time",
    ],
)
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        BoardKey.parse(text)
