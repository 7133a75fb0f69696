"""A board of a day and the board of its week with as many entries, and a club with some of the players."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import NamedTuple

from django.core import signals
from django.core.handlers.wsgi import WSGIHandler
from django.core.management import call_command
from django.db import close_old_connections, connection
from django.test import RequestFactory
from django.utils import timezone

from games.calendar.dailies import ensure_dailies
from games.players.models import Player
from games.runtime.pubsub import pubsub
from leaderboards.boards import remembered
from leaderboards.boards.catalog import FEWEST_MOVES, POINTS_TABLE, BoardKey, Entrants, Period
from leaderboards.boards.models import Board, Entry
from leaderboards.boards.ranking import replica
from leaderboards.boards.rest import BoardEndpoint
from leaderboards.clubs import week
from leaderboards.clubs.models import Club, Membership
from tests.bench.clubs import when_heard

BATCH, FEW_MEMBERS = 2000, 5


class Seeded(NamedTuple):
    """A club, the board of the day, and that of its week."""

    club: Club
    day: Board
    week: Board


def seed(entries: int, members: int) -> Seeded:
    """Return a club whose members are among those who have an entry on both boards; the others are in clubs of five."""
    call_command("migrate", verbosity=0)
    now = timezone.now()
    daily = ensure_dailies(now)[0]
    named = (Player(username=f"player-{number}", display_name=f"Player {number}") for number in range(entries))
    players = Player.objects.bulk_create(named, batch_size=BATCH)
    random.shuffle(players)
    starts = [0, *range(members, entries, FEW_MEMBERS), entries]
    made = (
        Club(name=f"Club {number}", name_key=f"club {number}", emblem="sc-blue", founded_at=now)
        for number in range(len(starts) - 1)
    )
    clubs = Club.objects.bulk_create(made, batch_size=BATCH)
    before = now - timedelta(days=7)
    memberships = (
        Membership(club=club, player=player, joined_at=before)
        for club, first, end in zip(clubs, starts, starts[1:], strict=False)
        for player in players[first:end]
    )
    Membership.objects.bulk_create(memberships, batch_size=BATCH)
    boards = [
        _board(
            BoardKey(period, period.first_day(daily.day), daily.rules, daily.division, Entrants.PEOPLE, table), players
        )
        for period, table in ((Period.DAILY, FEWEST_MOVES), (Period.WEEKLY, POINTS_TABLE))
    ]
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    replica.rebuild(boards[0])
    return Seeded(clubs[0], *boards)


def requests(seeded: Seeded) -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """Yield requests for rows of a board, and what makes the server forget the answer."""
    BoardEndpoint.throttle_classes = []  # nobody who asks so often would be answered
    server = WSGIHandler()
    signals.request_started.disconnect(close_old_connections)  # a server has permanent ones
    signals.request_finished.disconnect(close_old_connections)
    slug, club = seeded.day.slug, seeded.club

    def get(address: str) -> Callable[[], object]:
        asked = RequestFactory(SERVER_NAME="localhost").get(address).environ

        def ask() -> object:
            response = server({**asked}, lambda status, headers, *_: bytes)
            response.close()
            assert response.status_code == 200
            return response

        return ask

    def forget() -> None:
        remembered._boards.drop(slug)
        remembered._answers.drop(slug)

    get(f"/api/boards/{slug}/")()
    when_heard(lambda: pubsub().period)
    yield "top page of everyone", get(f"/api/boards/{slug}/"), forget
    yield "top page of a club", get(f"/api/clubs/{club.pk}/boards/{slug}/"), forget
    member = club.memberships.order_by("pk")[250].player.username
    yield "around a player, everyone", get(f"/api/boards/{slug}/?around={member}"), forget
    yield "around a player, in a club", get(f"/api/clubs/{club.pk}/boards/{slug}/?around={member}"), forget


def work(seeded: Seeded) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what is counted for everyone."""
    week_name = seeded.week.slug.split(".")[1]

    def count() -> object:
        table = week.find_table(week_name, seeded.week.key.rules, seeded.week.key.division, timezone.now())
        return week._sums_of(table)

    yield f"the clubs of a week of {seeded.week.version:,} entries", count


def _board(key: BoardKey, players: list[Player]) -> Board:
    board, now = Board.objects.create(slug=str(key), version=len(players)), timezone.now()
    entries = (
        Entry(board=board, player=player, key=_key(key), entered_at_version=at, valid_from=at, changed_at=now)
        for at, player in enumerate(players, 1)
    )
    Entry.objects.bulk_create(entries, batch_size=BATCH)
    return board


def _key(key: BoardKey) -> int:
    values = {"cards_left": 0, "wins": 5, "points": random.randrange(9000), "elapsed_ms": random.randrange(600_000)}
    return key.order.pack({**values, "moves": random.randrange(30, 300)})
