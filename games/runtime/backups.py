"""Back up the database into one file, and restore it into an empty one.

SQLite writes a copy of itself, also while a server plays on it; PostgreSQL has `pg_dump` and `pg_restore`.
"""

import os
import sqlite3
import subprocess
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from django.core.management import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

SQLITE, POSTGRESQL = b"SQLite format 3\0", b"PGDMP"
KINDS = {"sqlite": SQLITE, "postgresql": POSTGRESQL}
MIGRATIONS = "django_migrations"
UNFINISHED = ".unfinished"  # behind the name of a backup that is being written, or was when its command was killed


class BackupError(CommandError):
    """A backup that cannot be made or restored; the text says why, and nothing has been changed."""


def back_up(file: Path) -> None:
    """Write the database as it is now into a new file, readable by its owner alone. Raises `BackupError`."""
    if file.exists():
        raise BackupError(f"{file} exists already; a backup never overwrites a file")
    if MIGRATIONS not in connection.introspection.table_names():
        raise BackupError("the database has no tables: DATABASE_URL or PYRAMID_FOLDER names another one than yours")
    unfinished = file.with_name(f"{file.name}{UNFINISHED}")
    try:
        unfinished.unlink(missing_ok=True)
        unfinished.touch(mode=0o600)
        _write(unfinished)
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.rename(file)
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {error.strerror}") from error
    except DatabaseError as error:
        raise BackupError(f"{file} cannot be written: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def restore(file: Path, *, has_roles: bool = True) -> None:
    """Load a backup into the database, which has to be empty; its privileges need the roles. Raises `BackupError`."""
    _require_kind(file)
    if connection.introspection.table_names():
        raise BackupError("the database is not empty; restore into a new one")
    if unknown := unknown_migrations(_migrations_in(file)):
        raise BackupError(f"it was made by a newer version, which has {', '.join(unknown)}; install that one first")
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        try:
            with closing(_opened(file)) as backup:
                backup.backup(connection.connection)
        except sqlite3.DatabaseError as error:
            raise BackupError(f"the database cannot be written: {error}") from error
    else:
        left_out = ["--no-owner"] if has_roles else ["--no-owner", "--no-privileges"]
        _run("pg_restore", ["--exit-on-error", "--single-transaction", *left_out, "--dbname"], [str(file)])


def _write(file: Path) -> None:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(file)])
    else:
        _run("pg_dump", ["--format=custom", "--no-owner", f"--file={file}"])


def _require_kind(file: Path) -> None:
    try:
        with file.open("rb") as backup:
            begins = backup.read(len(SQLITE))
    except OSError as error:
        raise BackupError(f"{file} cannot be read: {error.strerror}") from error
    kind = next((kind for kind, magic in KINDS.items() if begins.startswith(magic)), None)
    if kind is None:
        raise BackupError(f"{file} is not a backup")
    if kind != connection.vendor:
        raise BackupError(f"{file} is a backup of {kind}, and the database is {connection.vendor}")


def unknown_migrations(migrations: Iterable[tuple[str, str]]) -> list[str]:
    """Return the names of migrations that this version does not have."""
    ours = MigrationLoader(None).disk_migrations
    replaced = {key for migration in ours.values() for key in migration.replaces}
    return [f"{app}.{name}" for app, name in migrations if (app, name) not in ours.keys() | replaced]


def _migrations_in(file: Path) -> list[tuple[str, str]]:
    """Return the app and name of each migration that a backup has. Raises `BackupError` if it is damaged."""
    if connection.vendor == "sqlite":
        try:
            with closing(_opened(file)) as backup:
                if backup.execute("PRAGMA quick_check").fetchone() != ("ok",):
                    raise BackupError(f"{file} is damaged")
                return backup.execute(f"SELECT app, name FROM {MIGRATIONS}").fetchall()  # noqa: S608  a constant
        except sqlite3.DatabaseError as error:
            raise BackupError(f"{file} is damaged or not a backup of this server: {error}") from error
    data = _output_of(["pg_restore", "--data-only", f"--table={MIGRATIONS}", "--file=-", str(file)])
    rows = [line.split("\t") for line in data.partition("FROM stdin;\n")[2].partition("\n\\.")[0].splitlines()]
    if not rows:
        raise BackupError(f"{file} is not a backup of this server")
    return [(app, name) for _, app, name, *_ in rows]


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)


def _run(program: str, options: list[str], after: list[str] | None = None) -> None:
    """Run a program of PostgreSQL on the database."""
    # The arguments name the database last, after the options; its password is in the environment.
    arguments, secrets = connection.client.settings_to_cmd_args_env(connection.settings_dict, options)
    _output_of([program, *arguments[1:], *(after or [])], dict(secrets or {}))


def _output_of(command: list[str], environment: dict[str, str] | None = None) -> str:
    try:
        done = subprocess.run(
            command, env={**os.environ, **(environment or {})}, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise BackupError(
            f"{command[0]} is not installed (on Debian and Ubuntu: apt-get install postgresql-client)"
        ) from error
    if done.returncode:
        said = done.stderr.partition("\nCommand was: ")[0].strip() or f"it ended with status {done.returncode}"
        owner = "; connect as the owner of the database and of its schema" if "permission denied" in said else ""
        raise BackupError(f"{command[0]} failed: {said}{owner}")
    return done.stdout
