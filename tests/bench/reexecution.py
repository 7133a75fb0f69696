"""The number of finished games that a core replays in a second, including reading them in batches from SQLite."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from time import process_time

from tests.bench.apart import rows_on_sqlite
from tests.bench.table import Row

GAMES = 2000
MOVES = 60
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def rows() -> Iterator[Row]:
    """Make a database for this run, measure there, and yield what was measured."""
    return rows_on_sqlite(__name__, PYRAMID_DAILY_RULE_SETS="standard")


def measured() -> Iterator[Row]:
    from games.play.models import Move  # noqa: PLC0415  models exist only after the setup
    from games.play.reexecution import differing, finished_ranked  # noqa: PLC0415

    seed(GAMES)
    games = list(finished_ranked().values_list("pk", flat=True))
    begun = process_time()
    found = differing(games)
    seconds = process_time() - begun
    assert not any(found.values()), "a sound game was found to be wrong"
    actions = Move.objects.count() / len(games)
    yield Row(f"re-execution: games of {actions:.0f} actions from the database", len(games) / seconds, "games/s")


def seed(number: int) -> None:
    """Have so many guests play today's deal at random, sixty actions as in a player's day, and resign."""
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection, transaction  # noqa: PLC0415

    from games.accounts.guests import new_guest  # noqa: PLC0415
    from games.calendar.dailies import ensure_dailies  # noqa: PLC0415
    from games.play.journal.statements import write_changes  # noqa: PLC0415
    from games.play.sessions import begin  # noqa: PLC0415
    from games.play.starting import start_ranked  # noqa: PLC0415
    from tests.games.ways_to_play import loaded_session  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    ensure_dailies(NOON)
    for _ in range(number):
        with transaction.atomic():
            game = start_ranked(new_guest(), "standard", NOON)
            begin(game.pk, NOON)
            session, changes, now = loaded_session(game.pk, NOON), [], NOON
            while session.play.result is None and session.play.version < MOVES:
                removals = [move for move in session.play.legal_moves if move.cards]
                move = random.choice(removals or session.play.legal_moves)
                now += timedelta(seconds=1)
                changes.append(session.act(move, session.play.version, now))
            if session.play.result is None:
                changes.append(session.resign(session.play.version, now))
            write_changes(connection, changes)
