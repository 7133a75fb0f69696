"""A month is closed once its last day is sealed: once, with honours, and then nothing of it ever changes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from games.calendar.models import DailyDeal
from games.notifications.models import Notification
from games.play.models import Game
from games.players.models import Player
from leaderboards.audit.sealing import seal_days
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from leaderboards.boards.runs import enter_runs
from leaderboards.seasons.models import Honour, Season
from leaderboards.seasons.seasons import (
    amendments_of,
    close_seasons,
    find_season,
    honoured,
    honours_in,
    honours_of,
    table_of,
    view_of,
)
from tests.calendar import prepared_dailies
from tests.guards import require_guarded
from tests.leaderboards.boards.test_runs import ended
from tests.leaderboards.conftest import NOON, Finish, named, submit_score

SLUG = "2026-11.standard.open"
LAST_FINAL = datetime(2026, 12, 2, 0, 30, tzinfo=UTC)  # that of the 30th of November


@pytest.fixture
def games(alice: Player, bob: Player, finish: Finish) -> list[Game]:
    """Two wins and a loss on one day; nobody plays on the other days, up to the last of the month."""
    made = [finish(alice, moves=40), finish(bob, moves=50), finish(named("carol"), 14)]
    for game in made:
        submit_score(game, NOON)
    prepared_dailies(NOON + timedelta(days=1), days_ahead=9)
    return made


def closed(at: datetime = LAST_FINAL) -> int:
    seal_days(at)
    return close_seasons(at)


def shown(season: Season) -> list[tuple[int, str]]:
    return [(row.place.rank, row.score.handle) for row in table_of(view_of(season), 10).rows]


@pytest.mark.django_db
def test_a_month_is_closed_when_its_last_day_is_sealed_and_not_a_moment_before(games: list[Game]) -> None:
    assert closed(LAST_FINAL - timedelta(milliseconds=1)) == 0
    assert closed() == 1
    assert closed() == 0
    season = find_season(SLUG)
    assert (season.count, season.month.isoformat()) == (3, "2026-11-01")
    assert shown(season) == [(1, "alice"), (2, "bob"), (3, "carol")]


@pytest.mark.django_db
def test_the_honoured_keep_their_honours_and_hear_of_them_once(games: list[Game], alice: Player) -> None:
    closed()
    assert list(honours_of(alice).values_list("season__slug", "rank", "top")) == [(SLUG, 1, None)]
    told = Notification.objects.get(player=alice, kind="honour")
    assert (told.kind, told.subject, told.facts["rank"]) == ("honour", SLUG, 1)
    assert Notification.objects.filter(kind="honour").count() == 3


@pytest.mark.django_db
def test_a_month_in_which_there_were_only_runs_of_puzzles_is_no_season(alice: Player, daily: DailyDeal) -> None:
    ended(alice, 12)
    assert enter_runs(NOON) == 1
    prepared_dailies(NOON + timedelta(days=1), days_ahead=9)
    assert closed() == 0
    assert not honours_of(alice).exists()


@pytest.mark.django_db
def test_a_later_decision_leaves_the_table_and_takes_the_honour(games: list[Game], alice: Player) -> None:
    closed()
    season, later = find_season(SLUG), LAST_FINAL + timedelta(days=9)
    staff = [named(f"staff-{number}", is_staff=True) for number in (1, 2)]

    def decided(state: EntryState, at: datetime) -> None:
        reviewers = {"by": staff[0], "confirmed_by": staff[1]}
        decide(Decision(game=games[0], state=state, reason="looked at", at=at, **reviewers))

    decided(EntryState.DISQUALIFIED, later)
    assert shown(season) == [(1, "alice"), (2, "bob"), (3, "carol")]
    assert not honours_of(alice).exists()
    assert list(honours_in(season).values_list("player__username", "rank")) == [("bob", 2), ("carol", 3)]
    assert [(made.game_id, made.at) for made in amendments_of(season)] == [(games[0].pk, later)]
    decided(EntryState.REINSTATED, later + timedelta(days=1))
    assert honours_of(alice).count() == 1
    assert len(amendments_of(season)) == 2


@pytest.mark.django_db
def test_nobody_changes_a_closed_season(games: list[Game]) -> None:
    closed()
    changes = ("UPDATE leaderboards_{} SET id = id + 1", "DELETE FROM leaderboards_{}")
    require_guarded(*(change.format(table) for change, table in product(changes, ("season", "honour"))))


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_close_a_season_once(games: list[Game]) -> None:
    seal_days(LAST_FINAL)

    def work(_: int) -> int:
        try:
            return close_seasons(LAST_FINAL)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(work, range(4))) == 1
    assert Season.objects.count() == 1
    assert Honour.objects.count() == Notification.objects.filter(kind="honour").count() == 3


@given(st.lists(st.integers(0, 40), max_size=60))
def test_honours_are_for_the_first_three_and_the_top_of_a_table(keys: list[int]) -> None:
    keys.sort()
    places = dict(enumerate(honoured(keys, len(keys))))
    for index, key in enumerate(keys):
        rank = 1 + sum(other < key for other in keys)
        tops = [percent for percent in (1, 5, 10) if 100 * rank <= percent * len(keys)]
        if rank <= 3 or tops:
            assert (places[index].rank, places[index].top) == (rank, tops[0] if tops else None)
        else:
            assert index not in places
