"""The role of the servers in PostgreSQL: it reads and writes rows, and does nothing to tables and triggers."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.processes import MANAGE, ONE_DEAL_A_DAY, PROJECT, UNLIMITED, run
from tests.with_servers import Services, postgresql_folder, running_services

ROLES = PROJECT / "pyramid_server/deployment/roles.sql"
PROGRAMS = postgresql_folder()
pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(
        PROGRAMS is None or not shutil.which("psql") or not shutil.which("redis-server"),
        reason="PostgreSQL and Redis are needed (apt-get install postgresql redis-server)",
    ),
]
# A game with a move, made as the servers make it.
PLAY = """
from datetime import UTC, datetime
from games.accounts.guests import create_guest
from games.play.starting import start_practice
from tests.games.ways_to_play import commit, open_session
now = datetime.now(UTC)
session = open_session(start_practice(create_guest("Alice").player, "standard", now), now)
commit(session.act(session.play.legal_moves[0], 0, now))
"""


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    assert PROGRAMS is not None
    with running_services(PROGRAMS) as services:
        yield services


def url_of(role: str, services: Services) -> str:
    """Return the address of the database `pyramid` for a role."""
    _, _, place = services.postgresql.url.partition("@")
    folder, _, _ = place.rpartition("/")
    return f"postgres://{role}:secret@{folder}/pyramid"


@pytest.fixture(scope="module")
def address(services: Services) -> str:
    """The address of a database with the two roles, migrated by its owner and played on by its server."""
    _make_roles(services)
    environment = services.environment() | UNLIMITED | ONE_DEAL_A_DAY
    owner, server = (url_of(f"pyramid_{role}", services) for role in ("owner", "server"))
    for command, url in (
        ([*MANAGE, "migrate", "--no-input", "--verbosity=0"], owner),
        ([*MANAGE, "worker", "--once"], server),
        ([*MANAGE, "shell", "--no-imports", "--command", PLAY], server),
    ):
        done = run(command, environment | {"DATABASE_URL": url}, timeout=300)
        assert done.returncode == 0, done.stderr
    return server


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("UPDATE games_move SET action = 'D'", psycopg.errors.IntegrityError),
        ("DELETE FROM games_move", psycopg.errors.IntegrityError),
        ("UPDATE games_dailydeal SET seed = ''", psycopg.errors.IntegrityError),
        ("TRUNCATE games_move CASCADE", psycopg.errors.InsufficientPrivilege),
        ("ALTER TABLE games_move DISABLE TRIGGER ALL", psycopg.errors.InsufficientPrivilege),
        ("ALTER TABLE games_move DISABLE TRIGGER USER", psycopg.errors.InsufficientPrivilege),
        ("SET session_replication_role = replica", psycopg.errors.InsufficientPrivilege),
        ("DROP TABLE games_move CASCADE", psycopg.errors.InsufficientPrivilege),
        ("CREATE TABLE mine (id int)", psycopg.errors.InsufficientPrivilege),
        ("CREATE TEMPORARY TABLE mine (id int)", psycopg.errors.InsufficientPrivilege),
        ("CREATE RULE silent AS ON INSERT TO games_move DO INSTEAD NOTHING", psycopg.errors.InsufficientPrivilege),
        ("CREATE OR REPLACE FUNCTION games_complain() RETURNS int LANGUAGE sql AS 'SELECT 1'", psycopg.Error),
        ("SET ROLE pyramid_owner", psycopg.errors.InsufficientPrivilege),
        ("COPY games_move TO PROGRAM 'cat'", psycopg.errors.InsufficientPrivilege),
    ],
)
def test_the_servers_change_no_log_and_switch_off_no_trigger(
    address: str, statement: str, error: type[psycopg.Error]
) -> None:
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT count(*) FROM games_move").fetchone() == (1,)
        with pytest.raises(error):
            connection.execute(statement)


def test_a_backup_made_by_the_servers_is_rehearsed_where_there_are_no_roles(
    address: str, services: Services, tmp_path: Path
) -> None:
    environment = services.environment() | UNLIMITED | ONE_DEAL_A_DAY | {"DATABASE_URL": address}
    saved = run([*MANAGE, "backup", str(tmp_path / "saved")], environment, timeout=300)
    assert saved.returncode == 0, saved.stderr
    forking = [sys.executable, "-m", "tests.games.status.forked"]
    rehearsed = run([*forking, "rehearse_restore", str(tmp_path), "--user", "nobody"], environment, timeout=300)
    assert rehearsed.returncode == 0, rehearsed.stdout + rehearsed.stderr


def test_tables_are_made_only_by_their_owner_and_the_servers_get_a_sentence(address: str, services: Services) -> None:
    _as_superuser(services, "CREATE DATABASE bare OWNER pyramid_owner")
    environment = services.environment() | {"DATABASE_URL": address.removesuffix("pyramid") + "bare"}
    done = run([*MANAGE, "migrate", "--no-input", "--verbosity=0"], environment, timeout=300)
    assert done.returncode == 1
    assert done.stderr == (
        "The role of DATABASE_URL may not do that (permission denied for schema public); "
        "to change tables, connect as the owner of the database, see docs/postgresql.md (--traceback shows more)\n"
    )


def test_tables_are_divided_only_by_their_owner_and_the_servers_get_a_sentence(
    address: str, services: Services
) -> None:
    done = run([*MANAGE, "partition_tables"], services.environment() | {"DATABASE_URL": address}, timeout=300)
    assert done.returncode == 1
    assert done.stderr.startswith("The role of DATABASE_URL may not do that (permission denied for schema public); ")


def test_a_backup_is_restored_only_by_an_owner_and_the_servers_get_a_sentence(
    address: str, services: Services, tmp_path: Path
) -> None:
    _as_superuser(services, "CREATE DATABASE empty OWNER pyramid_owner")
    environment = services.environment() | {"DATABASE_URL": address}
    saved = run([*MANAGE, "backup", str(tmp_path / "saved")], environment, timeout=300)
    assert saved.returncode == 0, saved.stderr
    environment["DATABASE_URL"] = address.removesuffix("pyramid") + "empty"
    done = run([*MANAGE, "restore", str(tmp_path / "saved")], environment, timeout=300)
    assert done.returncode == 1
    assert done.stderr == (
        "CommandError: Nothing was restored: pg_restore failed: pg_restore: error: could not execute query: "
        "ERROR:  permission denied for schema public; connect as the owner of the database and of its schema\n"
    )


def test_a_database_that_does_not_exist_is_not_said_to_lack_tables(address: str, services: Services) -> None:
    environment = services.environment() | {"DATABASE_URL": f"{address}_of_nobody"}
    done = run([*MANAGE, "migrate", "--no-input"], environment, timeout=300)
    assert done.returncode == 1
    assert done.stderr.startswith("The database cannot be used: ")
    assert 'database "pyramid_of_nobody" does not exist' in done.stderr


def test_a_database_without_tables_says_how_to_make_them(address: str, services: Services) -> None:
    _as_superuser(services, "CREATE DATABASE untouched OWNER pyramid_owner")
    environment = services.environment() | {"DATABASE_URL": address.removesuffix("pyramid") + "untouched"}
    done = run([*MANAGE, "replay", "26b7f3kq2m8p1xz"], environment, timeout=300)
    assert done.stderr.startswith("The database lacks tables: run manage.py migrate first")


def test_the_roles_get_another_database_while_the_one_before_is_kept(address: str, services: Services) -> None:
    _as_superuser(services, "ALTER DATABASE pyramid RENAME TO before")
    _make_roles(services)
    with psycopg.connect(address) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)
    _as_superuser(services, "DROP DATABASE pyramid")
    _as_superuser(services, "ALTER DATABASE before RENAME TO pyramid")


def _make_roles(services: Services) -> None:
    passwords = ["--set=owner_password=secret", "--set=server_password=secret"]
    psql = ["psql", "--no-psqlrc", f"--file={ROLES}", *passwords, f"--dbname={services.postgresql.url}"]
    subprocess.run(psql, check=True, stdout=subprocess.DEVNULL)


def _as_superuser(services: Services, statement: str) -> None:
    with psycopg.connect(services.postgresql.url, autocommit=True) as connection:
        connection.execute(statement.encode())
