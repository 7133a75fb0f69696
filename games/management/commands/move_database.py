"""Move everything from SQLite to PostgreSQL."""

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, connection

from games.doors.commands import LightCommand, progress_bar
from games.runtime import moving
from games.tlog.keys import log_keys
from games.tlog.signing import LogForked, require_key_of_log

SCHEME = "sqlite:///"
NEXT = """
Now check it, and start the server with this database and the same PYRAMID_SECRET_KEY and PYRAMID_LOG_KEY:
    manage.py verify_daily && manage.py verify_scores && manage.py verify_decisions
    manage.py rebuild_ranks          # with Redis
The file stays as it is; keep it until you are sure."""


def sqlite_file(text: str) -> Path:
    """Read `sqlite:///path`, whose relative paths start at the folder of the data, as in `DATABASE_URL`."""
    if not text.removeprefix(SCHEME) or not text.startswith(SCHEME):
        raise ArgumentTypeError(f"{text!r} is not {SCHEME}path/to/file")
    return Path(settings.DATA_DIR) / text.removeprefix(SCHEME)


class Command(LightCommand):
    help = "Move everything from an SQLite database into this one, an empty PostgreSQL that is migrated."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py move_database --from sqlite:///var/pyramid.sqlite3"
        parser.add_argument(
            "--from", dest="file", type=sqlite_file, required=True, metavar="URL", help="sqlite:///path/to/file"
        )

    def handle(self, *, file: Path, **options: Any) -> None:
        began = monotonic()
        try:
            rows = self._moved(file)
        except (moving.MoveError, DatabaseError) as error:
            raise CommandError(f"Nothing was moved: {_reason(error)}") from error
        tables = len(moving.tables())
        self.stdout.write(f"Moved {rows:,} rows of {tables} tables, and compared them, in {monotonic() - began:.0f} s.")
        self.stdout.write(NEXT)

    def _moved(self, file: Path) -> int:
        """Move everything, and return the number of rows."""
        if connection.vendor != "postgresql":
            raise moving.MoveError("DATABASE_URL has to name the PostgreSQL to move into")
        with moving.opened(file) as source:
            moving.require_same_version(source)
            _require_key_of_log(source, file)
            rows = moving.count(source)
            with progress_bar(self.stderr, 2 * rows, "row") as bar:  # each is copied, then compared
                moving.move(source, bar.update)
        return rows


def _require_key_of_log(source: str, file: Path) -> None:
    """Raise `MoveError` unless the log of the file can be signed here too: its key is not in a database."""
    try:
        require_key_of_log(log_keys()[0].key.name, source)
    except LogForked as error:
        raise moving.MoveError(
            f'the key of its log has to come along: export PYRAMID_LOG_KEY="$(cat {file}.log_key)"'
        ) from error
    except ValueError as error:
        raise moving.MoveError(f"PYRAMID_LOG_KEY is not a key of a log: {error}") from error


def _reason(error: Exception) -> str:
    text = str(error).strip()
    if "must be owner" in text:
        return f"{text}. Connect as the role that migrates, pyramid_owner"
    return text
