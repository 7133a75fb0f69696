"""Guests who arrive, and some who play an attempt each and are verified; bytes of tables with all indexes for each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from games.accounts.guests import create_guests, unsaved_guest
from games.calendar.dailies import ensure_dailies
from leaderboards.audit.verifying import verify_entered
from leaderboards.boards.models import Entry, EntryState
from tests.bench.sealed_seed import size_of, vacuum
from tests.bench.table import Row
from tests.leaderboards.played import played

GUESTS, GAMES = 10_000, 1_500
PACE = timedelta(seconds=5)
OF_GUESTS = ("games_player", "knox_authtoken")


def measured() -> Iterator[Row]:
    call_command("migrate", verbosity=0)
    before = size_of(*OF_GUESTS)
    guests = [guest.player for guest in create_guests([unsaved_guest() for _ in range(GUESTS)])]
    vacuum()
    yield Row("written: a guest with a token", (size_of(*OF_GUESTS) - before) / GUESTS, "bytes")
    now = timezone.now()
    ensure_dailies(now)
    of_boards = _tables("leaderboards_%")
    before = size_of(*of_boards)
    for guest in guests[:GAMES]:
        played(guest, now, step=PACE)
    while verify_entered(now):
        pass
    vacuum()
    verified = Entry.objects.filter(valid_to=None, game__isnull=False, state=EntryState.VERIFIED)
    assert verified.values("game").distinct().count() == GAMES
    yield Row("written: the places of an attempt, verified", (size_of(*of_boards) - before) / GAMES, "bytes")
    yield Row("written: the rows of these", Entry.objects.count() / GAMES, "")


def _tables(pattern: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE tablename LIKE %s", [pattern])
        return [name for (name,) in cursor.fetchall()]
