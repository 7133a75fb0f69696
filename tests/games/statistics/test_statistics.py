from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from games.calendar.models import DailyDeal, Deal
from games.play.models import Game
from games.play.sessions import expire_overdue
from games.play.starting import start_practice, start_ranked
from games.players.models import Player
from games.players.names import find_player
from games.players.refusals import UnknownPlayer
from games.statistics.statistics import PlayerStatistics, statistics_of
from games.statistics.streaks import Days, Streak
from games.statistics.tallies import count_games
from tests.calendar import prepared_dailies
from tests.games.ways_to_play import commit, open_session

pytestmark = pytest.mark.django_db(transaction=True)

DAY = timedelta(days=1)
MILLISECOND = timedelta(milliseconds=1)
TODAY = date(2026, 3, 1)
SOME_DAYS = st.sets(st.integers(0, 40).map(lambda ago: TODAY - ago * DAY))
SCORE = {"draws": 0, "recycles": 0, "undos": 0, "hints": 0}


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def naive_streak(days: set[date], today: date) -> Streak:
    """Count day by day, as one would on a calendar."""
    longest = run = 0
    for ago in range(60, -1, -1):
        run = run + 1 if today - ago * DAY in days else 0
        longest = max(longest, run)
    last, current = (today if today in days else today - DAY), 0
    while last in days:
        last, current = last - DAY, current + 1
    return Streak(current, longest)


@given(SOME_DAYS)
def test_a_streak_is_what_one_counts_on_a_calendar(days: set[date]) -> None:
    assert streak_of(days, TODAY) == naive_streak(days, TODAY)


@given(st.lists(st.sampled_from([TODAY - ago * DAY for ago in range(9)])), st.randoms())
def test_neither_order_nor_repetition_changes_a_streak(days: list[date], chance: object) -> None:
    shuffled = sorted(days, key=lambda _: chance.random())  # type: ignore[attr-defined]
    assert streak_of(shuffled + days, TODAY) == streak_of(set(days), TODAY)


@given(SOME_DAYS)
def test_playing_today_never_shortens_a_streak_and_lets_the_current_one_grow_by_one(days: set[date]) -> None:
    before, after = streak_of(days - {TODAY}, TODAY), streak_of(days | {TODAY}, TODAY)
    assert after.current == before.current + 1
    assert after.longest >= max(before.longest, after.current)


@given(SOME_DAYS)
def test_rest_days_keep_a_streak_and_are_counted_day_by_day(days: set[date]) -> None:
    told = Days().with_days(days).rested_streak(TODAY)
    assert (told.current, told.longest, told.rests_left, set(told.rests)) == naive_rested_streak(days, TODAY)
    assert told.total == len(days)


@given(SOME_DAYS, SOME_DAYS)
def test_who_plays_more_days_never_has_a_shorter_streak_or_fewer_rest_days(days: set[date], more: set[date]) -> None:
    few, many = (Days().with_days(each).rested_streak(TODAY) for each in (days, days | more))
    strict = streak_of(days, TODAY)
    assert many.current >= few.current >= strict.current
    assert many.longest >= few.longest >= strict.longest
    assert not set(few.rests) & days
    if few.current:
        assert many.rests_left >= few.rests_left


@given(st.sets(st.integers(0, 100).map(lambda ago: TODAY - ago * DAY)))
def test_weeks_in_a_row_are_those_of_a_calendar(days: set[date]) -> None:
    weeks = {day - day.weekday() * DAY for day in days}
    last = TODAY - TODAY.weekday() * DAY
    this_or_last = last if last in weeks else last - 7 * DAY
    current = 0
    while this_or_last - current * 7 * DAY in weeks:
        current += 1
    assert Days().with_days(days).rested_streak(TODAY).weeks.current == current


def naive_rested_streak(days: set[date], today: date) -> tuple[int, int, int, set[date]]:
    """Go from day to day: a day played earns a seventh of a day of rest, a missed one takes a whole one."""
    length = longest = sevenths = 0
    rests = set()
    for ago in range(60, -1, -1):
        day = today - ago * DAY
        if day in days:
            length, sevenths = length + 1, min(14, sevenths + 1)
        elif day < today and sevenths >= 7:
            sevenths -= 7
            rests.add(day)
        elif day < today:
            # A rest that could not keep the streak was none.
            rests -= {day - one * DAY for one in range(1, 3) if not _played_between(days, day - one * DAY, day)}
            length = sevenths = 0
        longest = max(longest, length)
    return length, longest, sevenths // 7, rests


def _played_between(days: set[date], first: date, end: date) -> bool:
    return any(first <= day < end for day in days)


@pytest.mark.parametrize(
    ("days", "today", "streak"),
    [
        ([], TODAY, Streak(0, 0)),
        ([TODAY], TODAY, Streak(1, 1)),
        ([TODAY - DAY], TODAY, Streak(1, 1)),
        ([TODAY - 2 * DAY], TODAY, Streak(0, 1)),
        ([date(2028, 2, 28), date(2028, 2, 29), date(2028, 3, 1)], date(2028, 3, 1), Streak(3, 3)),
        ([date(2028, 2, 28), date(2028, 3, 1)], date(2028, 3, 1), Streak(1, 1)),
        ([date(2027, 2, 28), date(2027, 3, 1)], date(2027, 3, 1), Streak(2, 2)),
        ([date(2026, 12, 31), date(2027, 1, 1)], date(2027, 1, 2), Streak(2, 2)),
        ([date.min], date.min, Streak(1, 1)),
    ],
)
def test_a_streak_crosses_months_leap_days_and_years(days: Iterable[date], today: date, streak: Streak) -> None:
    assert streak_of(days, today) == streak


Finish = Callable[..., Game]


def streak_of(days: Iterable[date], today: date) -> Streak:
    return Days().with_days(days).streak(today)


def played(statistics: PlayerStatistics) -> tuple[int, int]:
    return statistics.played.current, statistics.played.longest


def bests(player: Player, now: datetime) -> list[tuple[str, str, int | None, int | None]]:
    tallies = statistics_of(player, None, now).tallies
    return [(tally.kind, tally.rules, tally.moves, tally.elapsed_ms) for tally in tallies if tally.won]


@pytest.fixture
def finish(db: None) -> Finish:
    """Store a player's finished attempt at the daily deal of a day."""

    def finish(player: Player, day: date, *, cards_left: int = 0, rules: str = "standard", **score: int) -> Game:
        moment = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
        number = DailyDeal.objects.count() + 1
        daily = DailyDeal.objects.filter(day=day, rules=rules).first() or DailyDeal.objects.create(
            day=day,
            rules=rules,
            division="open",
            candidate=0,
            seed=f"{number:064}",
            commitment=f"{number:064}",
            committed_at=moment,
            deal=Deal.objects.create(rules=rules, deck="", created_at=moment),
        )
        summary = {**SCORE, "moves": 40, "elapsed_ms": 60_000, **score}
        times = dict.fromkeys(("created_at", "started_at", "finished_at"), moment)
        status = "resigned" if cards_left else "won"
        return Game.objects.create(
            player=player, deal=daily.deal, daily=daily, status=status, cards_left=cards_left, **summary, **times
        )

    return finish


def test_days_won_are_counted_apart_from_days_played(alice: Player, finish: Finish, now: datetime) -> None:
    for ago, cards_left in ((1, 0), (2, 0), (3, 5), (4, 0), (5, 0), (6, 0)):
        finish(alice, now.date() - ago * DAY, cards_left=cards_left)
    statistics = statistics_of(alice, alice, now)
    assert (statistics.played.current, statistics.played.longest, statistics.won) == (6, 6, Streak(2, 3))


def test_a_day_on_which_one_of_two_deals_was_won_is_won(alice: Player, finish: Finish, now: datetime) -> None:
    finish(alice, now.date(), cards_left=3)
    finish(alice, now.date(), rules="giza")
    assert statistics_of(alice, alice, now).won == Streak(1, 1)


def test_bests_are_of_won_games_and_by_rule_set(alice: Player, bob: Player, finish: Finish, now: datetime) -> None:
    finish(alice, now.date() - 4 * DAY, moves=50, elapsed_ms=30_000)
    finish(alice, now.date() - 3 * DAY, moves=41, elapsed_ms=90_000)
    finish(alice, now.date() - 2 * DAY, moves=9, elapsed_ms=1_000, cards_left=20)
    finish(alice, now.date() - DAY, moves=33, elapsed_ms=70_000, rules="giza")
    finish(bob, now.date() - DAY, moves=2, elapsed_ms=2)
    assert bests(alice, now) == [("daily", "giza", 33, 70_000), ("daily", "standard", 41, 30_000)]


def test_practice_is_counted_apart_and_makes_no_streak(alice: Player, now: datetime) -> None:
    game = start_practice(alice, "standard", now)
    commit(open_session(game, now).resign(0, now))
    statistics = statistics_of(alice, alice, now)
    assert (statistics.played.total, statistics.won) == (0, Streak(0, 0))
    assert [(row.kind, row.rules, row.played, row.won) for row in statistics.tallies] == [
        ("practice", "standard", 1, 0)
    ]


def test_an_attempt_just_before_midnight_counts_for_the_day_that_ends(alice: Player, daily: DailyDeal) -> None:
    midnight = at("2026-03-02T00:00:00")
    game = start_ranked(alice, "standard", midnight - MILLISECOND)
    commit(open_session(game, midnight).resign(0, midnight + MILLISECOND))
    assert played(statistics_of(alice, alice, midnight)) == (1, 1)
    assert played(statistics_of(alice, alice, at("2026-03-02T23:59:59.999"))) == (1, 1)
    assert played(statistics_of(alice, alice, at("2026-03-03T00:00:00"))) == (0, 1)


def test_attempts_on_both_sides_of_midnight_are_two_days(alice: Player, dailies: None) -> None:
    midnight = at("2026-03-02T00:00:00")
    start_ranked(alice, "standard", midnight - MILLISECOND)
    start_ranked(alice, "standard", midnight)
    assert played(statistics_of(alice, alice, midnight)) == (2, 2)


def test_an_unfinished_attempt_counts_for_its_player_at_once_and_for_others_when_it_is_over(
    alice: Player, bob: Player, daily: DailyDeal, now: datetime
) -> None:
    start_ranked(alice, "standard", now)
    finish_by = daily.key.finish_by
    for moment, others in ((now, 0), (finish_by - MILLISECOND, 0), (finish_by, 1), (finish_by + MILLISECOND, 1)):
        assert statistics_of(alice, alice, moment).played.current == 1
        assert statistics_of(alice, bob, moment).played.longest == others
        assert statistics_of(alice, None, moment).played.longest == others
    expire_overdue(finish_by)
    assert statistics_of(alice, None, finish_by).played.longest == 1


def test_a_game_that_is_over_is_told_at_once_as_on_the_score_table(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    game = start_ranked(alice, "standard", now)
    commit(open_session(game, now).resign(0, now))
    assert played(statistics_of(alice, None, now)) == (1, 1)


def test_statistics_of_many_games_take_as_many_queries_as_of_few(alice: Player, finish: Finish, now: datetime) -> None:
    for ago in range(30):
        finish(alice, now.date() - ago * DAY, moves=40 + ago)
    for waiting in (1, 0):
        with CaptureQueriesContext(connection) as queries:
            assert played(statistics_of(alice, None, now)) == (30, 30)
        assert len(queries) == 5 + waiting
        count_games(now)
        count_games(now + 2 * DAY)


@pytest.mark.parametrize("handle", ["", "nobody", "guest-", "' OR 1=1 --"])
def test_an_unknown_handle_is_nobody(db: None, handle: str) -> None:
    with pytest.raises(UnknownPlayer):
        find_player(handle)


def test_a_closed_account_is_nobody(mallory: Player) -> None:
    Player.objects.filter(pk=mallory.pk).update(is_active=False)
    with pytest.raises(UnknownPlayer):
        find_player(mallory.username)


def test_the_dailies_of_a_leap_year_are_played_day_by_day(alice: Player) -> None:
    first = at("2028-02-27T12:00:00")
    prepared_dailies(first, 3)
    for days in range(4):
        start_ranked(alice, "standard", first + days * DAY)
    assert played(statistics_of(alice, alice, at("2028-03-01T12:00:00"))) == (4, 4)
