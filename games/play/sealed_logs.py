"""Logs of finished games, each put into one value of its row; the database deletes their moves in the same moment."""

import logging
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F

from games.play.models import Game, logs_of
from games.rules import DamagedLog, Logged
from games.rules.sealed_log import seal, unseal

logger = logging.getLogger(__name__)

# Clients get the same answers before and after, and the rows of ten minutes take little space (docs/speed-measured.md).
SEALED_AFTER = timedelta(minutes=10)
TOGETHER = 25  # in one transaction; on SQLite moves wait for it
MOST_BATCHES = 40  # in one run of the worker, which has more to do

_SEAL = "UPDATE games_game SET sealed_log = %s WHERE id = %s AND sealed_log IS NULL"

_left_alone: set[str] = set()


def seal_logs(now: datetime) -> int:
    """Seal the logs of games that ended some time ago, as many as one run may, and return how many.

    A log that does not hold together stays as it is and is reported, by each process once.
    """
    ended_by = now - SEALED_AFTER
    total = 0
    for _ in range(MOST_BATCHES):
        found, sealed = _seal_batch(ended_by)
        total += sealed
        if found < TOGETHER:
            break
    return total


@transaction.atomic
def _seal_batch(ended_by: datetime) -> tuple[int, int]:
    """Seal the logs of those games that ended first, and return how many there were and how many were sealed."""
    due = Game.objects.filter(sealed_log=None, finished_at__lte=ended_by).exclude(pk__in=_left_alone)
    # Another worker skips these. A statement that only refers to a game does not wait: only its log is about to change.
    due = due.select_for_update(skip_locked=True, no_key=True).order_by("finished_at")[:TOGETHER]
    counts: dict[str, int] = dict(due.annotate(count=F("moves") + F("hints")).values_list("pk", "count"))
    sealed = list(_sealed(counts))
    with connection.cursor() as cursor:
        cursor.executemany(_SEAL, sealed)
    return len(counts), len(sealed)


def _sealed(counts: Mapping[str, int]) -> Iterator[tuple[bytes, str]]:
    """Yield games with this number of actions, each with its sealed log."""
    logs = logs_of(list(counts))
    for game, count in counts.items():
        try:
            yield _checked(logs[game], count), game
        except DamagedLog as error:
            logger.error("the log of game %s is not sealed: %s", game, error)
            _left_alone.add(game)


def _checked(log: list[Logged], count: int) -> bytes:
    """Return a log sealed, if it is whole and reads back as it was: the game then replays alike from either form."""
    if len(log) != count:
        raise DamagedLog(f"it has {len(log)} actions, its game counts {count}")
    data = seal(log)
    if unseal(data) != log:
        raise DamagedLog("it does not read back as it was")
    return data
