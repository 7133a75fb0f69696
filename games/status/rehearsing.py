"""Compare a restored database with the one that it was saved from: nothing that was acknowledged may be missing.

Meanwhile players play on, and may have data of theirs deleted, so games that are gone from the original are not missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from time import monotonic, sleep
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Count, F, Max, Q, Sum
from django.db.models.functions import TruncDate

from games.play.models import Game, Logs, logs_of
from games.rules import DamagedLog, Logged
from games.runtime.restoring import RestoreError
from games.tlog import tree
from games.tlog.models import LogLeaf

MARGIN = timedelta(minutes=1)  # by which a moment in a row may differ from that of its commit
MILLISECOND = timedelta(milliseconds=1)
TOGETHER = 500
ARCHIVE_SECONDS = 120  # for an archive to store what has been written
POLL_SECONDS = 0.2

IN_PLAY = Q(status=Game.Status.PLAYING)


class Acknowledged(NamedTuple):
    """The versions that games in play, and those that had just ended, had at a moment."""

    at: datetime
    versions: dict[str, int]


def acknowledged(now: datetime) -> Acknowledged:
    """Return what players have been answered until now."""
    games = Game.objects.filter(IN_PLAY | Q(finished_at__gte=now - MARGIN)).order_by()
    return Acknowledged(now, dict(games.values("pk").annotate(last=Count("log")).values_list("pk", "last")))


def wait_until_archived() -> None:
    """Wait until PostgreSQL's archive has everything that is written now. Raises `RestoreError`."""
    if connection.vendor != "postgresql":
        raise RestoreError("name a file of `manage.py backup`: SQLite has no archive")
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('archive_mode'), pg_walfile_name(pg_current_wal_lsn())")
        mode, segment = cursor.fetchone()
        if mode == "off":
            raise RestoreError("the database has no archive: docs/archive.md says how to set one up")
        deadline = monotonic() + ARCHIVE_SECONDS
        while not _is_archived(cursor, segment):
            if monotonic() > deadline:
                raise RestoreError(f"the archive does not grow: after {ARCHIVE_SECONDS} seconds it lacks {segment}")
            sleep(POLL_SECONDS)


def _is_archived(cursor: Any, segment: str) -> bool:
    cursor.execute("SELECT last_archived_wal FROM pg_stat_archiver")
    [last] = cursor.fetchone()
    return last is not None and last >= segment


def newest_move(alias: str) -> datetime | None:
    """Return when the newest move of a database was made, None without any. Downtime in a game is not counted."""
    games = Game.objects.using(alias)
    started = games.filter(IN_PLAY, log__isnull=False, started_at__isnull=False).order_by().values("started_at")
    made = [at + ms * MILLISECOND for at, ms in started.annotate(ms=Max("log__at_ms")).values_list("started_at", "ms")]
    ended = games.aggregate(last=Max("finished_at"))["last"]
    return max([*made, *filter(None, [ended])], default=None)


def missing_leaves(until: datetime, alias: str) -> list[str]:
    """Return what is wrong with the restored log: another beginning, or leaves missing from before a moment."""
    size = tree.size_of_log(alias)
    if not tree.continues(size, tree.root_at(size, alias)):
        return [f"the {size} leaves of the log are not the first ones of the log in the database"]
    want = LogLeaf.objects.filter(added_at__lt=until).count()
    return [f"{size} of {want} leaves of the log"] if size < want else []


def missing_actions(known: Acknowledged, alias: str) -> list[str]:
    """Return the games in which fewer actions are restored than had been acknowledged."""
    found = []
    for games in _batches(list(known.versions)):
        short = {game: len(log) for game, log in _logs(games, alias) if len(log) < known.versions[game]}
        there = _existing(list(short))
        found += [f"{game}: {kept} of {known.versions[game]} actions" for game, kept in short.items() if game in there]
    return found


def missing_games(until: datetime, alias: str) -> list[str]:
    """Return the days for which fewer games, or actions of them, are restored than had ended before a moment."""
    restored = _ended_by_day(until, alias)
    return [
        f"{day}: {', '.join(f'{have} of {want}' for have, want in zip(restored.get(day, (0, 0)), kept, strict=True))} "
        "games and actions"
        for day, kept in _ended_by_day(until, DEFAULT_DB_ALIAS).items()
        if any(have < want for have, want in zip(restored.get(day, (0, 0)), kept, strict=True))
    ]


def _ended_by_day(until: datetime, alias: str) -> dict[date, tuple[int, int]]:
    ended = Game.objects.using(alias).filter(finished_at__lt=until).order_by()
    days = ended.annotate(day=TruncDate("finished_at", tzinfo=UTC)).values("day")
    counted = days.annotate(games=Count("pk"), actions=Sum(F("moves") + F("hints")))
    return {row["day"]: (row["games"], row["actions"]) for row in counted}


def games_to_compare(alias: str, sample: int) -> list[str]:
    """Return the restored games in play, and so many others drawn at random."""
    games = Game.objects.using(alias).order_by("?").values_list("pk", flat=True)
    return [*games.filter(IN_PLAY), *games.exclude(IN_PLAY)[:sample]]


def changed_games(games: Sequence[str], alias: str, note: Callable[[int], object]) -> list[str]:
    """Return the games whose restored log is not the beginning of the log, or not all of it if they have ended."""
    found = []
    for batch in _batches(games):
        there, originals, restored = _existing(batch), dict(_logs(batch)), dict(_logs(batch, alias))
        ended = set(Game.objects.using(alias).filter(pk__in=batch).exclude(IN_PLAY).values_list("pk", flat=True))
        for game in there:
            original = originals[game] if game in ended else originals[game][: len(restored[game])]
            if restored[game] != original:
                found.append(f"{game}: its log differs from the one in the database")
        note(len(batch))
    return found


def _logs(games: Sequence[str], alias: str = DEFAULT_DB_ALIAS) -> Iterator[tuple[str, list[Logged]]]:
    """Yield games with their logs; that of a damaged one is empty."""
    logs = logs_of(games, using=alias)
    for game in games:
        yield game, _log_or_nothing(logs, game)


def _log_or_nothing(logs: Logs, game: str) -> list[Logged]:
    try:
        return logs[game]
    except DamagedLog:
        return []


def _existing(games: Sequence[str]) -> set[str]:
    return set(Game.objects.filter(pk__in=games).values_list("pk", flat=True))


def _batches(games: Sequence[str]) -> Iterator[Sequence[str]]:
    for first in range(0, len(games), TOGETHER):
        yield games[first : first + TOGETHER]
