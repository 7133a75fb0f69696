"""Days with an attempt each that is played, verified and sealed, and with as many copies of it as there are players."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from games.calendar.dailies import ensure_dailies
from games.play import sealed_logs
from games.play.models import MARK_LENGTH
from games.play.sealed_logs import seal_logs
from games.players.models import Player
from leaderboards.audit.verifying import verify_entered
from leaderboards.boards.models import Entry
from leaderboards.boards.months import FIRST, divide, make_coming_months
from tests.bench.rows import multiply
from tests.bench.sealed_seed import vacuum
from tests.bench.table import Row
from tests.leaderboards.played import played

DAYS, PLAYERS = int(os.environ.get("DAYS", "10")), int(os.environ.get("PLAYERS", "10000"))
PRIME = 7919
PACE, EVENING = timedelta(seconds=5), timedelta(hours=6)


def measured() -> Iterator[Row]:
    call_command("migrate", verbosity=0)
    sealed_logs.SEALED_AFTER = timedelta()
    first = timezone.now() - timedelta(days=DAYS + 1)
    with transaction.atomic():
        divide(first.date().replace(day=1))
        make_coming_months(first)
    vacuum()
    before = _asked("pg_database_size(current_database())")
    for day in range(DAYS):
        _play(first + timedelta(days=day), day)
    vacuum()
    attempts, bytes_of_all = DAYS * PLAYERS, _asked("pg_database_size(current_database())") - before
    name = f"days: {DAYS} of {PLAYERS:,} players"
    yield Row(f"{name}, each with a new account", bytes_of_all / 1e6, "MB")
    yield Row(f"{name}: an attempt", bytes_of_all / attempts, "bytes")
    for table in ("games_game", "leaderboards_entry"):
        of_table = f"FROM pg_partition_tree('{table}') WHERE isleaf"
        yield Row(
            f"{name}: {table} of an attempt", _asked("sum(pg_total_relation_size(relid))", of_table) / attempts, "bytes"
        )
        yield Row(f"{name}: indexes of that", _asked("sum(pg_indexes_size(relid))", of_table) / attempts, "bytes")
    yield Row(
        f"{name}: rows of leaderboards_entry of an attempt",
        _asked("count(*)", "FROM leaderboards_entry") / attempts,
        "",
    )
    yield from _indexes_of_all_time(name)
    yield from _backup(name)


def _play(noon: datetime, day: int) -> None:
    """Have one player play the deal of a day, and as many as there are do the same."""
    ensure_dailies(noon)
    player = Player.objects.create(username=f"day-{day}", display_name="Player", is_guest=True)
    known = Entry.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    game = played(player, noon, step=PACE)
    while verify_entered(noon + EVENING) or seal_logs(noon + EVENING):
        pass
    game.refresh_from_db()
    # As in play: ids and places in no order, and logs that do not compress.
    shuffled = f"(mod(n * {PRIME}, {PLAYERS}) + 1)"
    of_copy = {
        "player_id": f"{player.pk} + {shuffled}",
        "game_id": f"'{game.pk[:MARK_LENGTH]}' || substr(md5('{day}-' || n), 1, 12)",
    }
    log = f"(SELECT string_agg(decode(md5('{day}-' || n || part), 'hex'), '') FROM generate_series(1, 18) AS part)"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # no guards, which look at each row
        multiply(player, PLAYERS, {"id": f"{player.pk} + n", "username": f"'day-{day}-' || n"})
        own = {"id": of_copy["game_id"], "player_id": of_copy["player_id"], "sealed_log": log}
        multiply(game, PLAYERS, own)
        for entry in Entry.objects.filter(player=player, pk__gt=known).order_by("pk"):
            last = _asked("max(id)", "FROM leaderboards_entry")
            different = of_copy if entry.game_id else {"player_id": of_copy["player_id"]}
            multiply(entry, PLAYERS, different | {"id": f"{last} + n", "key": f'"key" + {shuffled}'})
            cursor.execute("SELECT setval(pg_get_serial_sequence('leaderboards_entry', 'id'), %s)", [last + PLAYERS])
        cursor.execute("SET session_replication_role = origin")


def _indexes_of_all_time(name: str) -> Iterator[Row]:
    """Yield the size of each index of entries on tables of all time, which stay in the first partition."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexrelid::regclass::text, pg_relation_size(indexrelid) FROM pg_index"
            " WHERE indrelid = %s::regclass ORDER BY 2 DESC",
            [f"leaderboards_entry{FIRST}"],
        )
        for index, size in cursor.fetchall():
            yield Row(f"{name}: {index} of all time, an attempt", size / (DAYS * PLAYERS), "bytes")


def _backup(name: str) -> Iterator[Row]:
    with TemporaryDirectory() as folder:
        file, begun = Path(folder) / "one.backup", perf_counter()
        call_command("backup", str(file), stdout=StringIO())
        yield Row(f"{name}: a backup", perf_counter() - begun, "s")
        yield Row(f"{name}: its file", file.stat().st_size / 1e6, "MB")


def _asked(figure: str, of: str = "") -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {figure} {of}")
        return int(cursor.fetchone()[0])
