"""A club's table is read once while it is unchanged, and is never that of another club or of another day."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.players.models import Player
from games.runtime.pubsub import pubsub
from leaderboards.clubs.founding import found
from leaderboards.clubs.membership import join, leave
from leaderboards.clubs.models import Club
from tests.games.api import Api
from tests.leaderboards.api import ranks
from tests.leaderboards.clubs.conftest import EVE, terms
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, WEEK, Finish, ban, named, submit_score

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("_noon", "table")]
MORROW = NOON + timedelta(days=1)


@pytest.fixture(autouse=True)
def _others_are_heard() -> None:
    deadline = time.monotonic() + 30
    while not pubsub().period:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def path_of(club: Club, slug: str = FEWEST_MOVES) -> str:
    return f"/api/clubs/{club.pk}/boards/{slug}/"


def table(club: Club, slug: str = FEWEST_MOVES) -> list[tuple[int, str]]:
    return ranks(Api().get(path_of(club, slug)))


@pytest.mark.parametrize("below", ["", "players/alice/", "?around=bob&limit=3"])
def test_the_database_is_asked_once_and_again_after_a_change(club: Club, below: str, finish: Finish) -> None:
    carol = named("carol")
    club.memberships.create(player=carol, joined_at=EVE)
    first = Api().get(path_of(club) + below)
    with CaptureQueriesContext(connection) as queries:
        assert Api().get(path_of(club) + below).content == first.content
    assert len(queries) == 0
    submit_score(finish(carol, moves=1), NOON)
    assert Api().get(path_of(club) + below).content != first.content


def test_the_members_of_a_day_that_has_opened_are_read_once(club: Club, finish: Finish) -> None:
    assert table(club) == [(1, "alice"), (2, "bob")]
    submit_score(finish(named("mallory"), moves=1), NOON)
    with CaptureQueriesContext(connection) as queries:
        assert table(club) == [(1, "alice"), (2, "bob")]
    assert not [query for query in queries if "membership" in query["sql"]]


def test_each_club_has_its_own_table(club: Club) -> None:
    other = found(named("dave"), terms("Red Kites"), EVE)
    assert (len(table(club)), table(other)) == (2, [])


def test_a_ban_is_seen_at_once(club: Club, bob: Player) -> None:
    assert table(club) == table(club, WEEK) == [(1, "alice"), (2, "bob")]
    ban(bob, "cheated", None, NOON)
    assert table(club) == table(club, WEEK) == [(1, "alice")]


def test_who_joins_or_leaves_today_does_so_on_the_table_of_tomorrow(club: Club, bob: Player, finish: Finish) -> None:
    carol = named("carol")
    assert table(club, WEEK) == [(1, "alice"), (2, "bob")]
    join(club.pk, carol, NOON)
    leave(club.pk, bob, NOON)
    submit_score(finish(carol), NOON)
    assert table(club, WEEK) == [(1, "alice"), (2, "bob")]
    with time_machine.travel(MORROW, tick=False):
        submit_score(finish(named("dave"), days=1), MORROW)
        assert table(club, WEEK) == [(1, "carol"), (2, "alice")]


def test_who_joins_today_is_on_the_table_of_tomorrow_though_it_was_asked_for_before(club: Club, finish: Finish) -> None:
    carol = named("carol")
    address = f"{path_of(club, WEEK)}?as_of={MORROW.isoformat().replace('+00:00', 'Z')}"
    assert ranks(Api().get(address)) == [(1, "alice"), (2, "bob")]
    join(club.pk, carol, NOON)
    with time_machine.travel(MORROW, tick=False):
        submit_score(finish(carol, days=1), MORROW)
        assert (1, "carol") in ranks(Api().get(address))
