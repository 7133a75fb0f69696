"""A file that cannot be moved to PostgreSQL is refused before anything is written; the rest is in tests/journeys."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import DjangoDbBlocker

from games.runtime import moving
from tests.processes import migrated_database

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="from SQLite")


@pytest.fixture(autouse=True)
def several_databases(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Let a test open a database beside the one that it has."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return Path(shutil.copy(migrated_database(), tmp_path / "old.sqlite3"))


def text(file: Path) -> None:
    file.write_text("not a database, but long enough to look like one" * 50)


def statement(sql: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        with closing(sqlite3.connect(file)) as database:
            database.execute(sql)
            database.commit()

    return change


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (Path.unlink, "there is no file"),
        (text, "is not an SQLite database"),
        (
            statement("DELETE FROM django_migrations WHERE app = 'leaderboards'"),
            r"older version, without leaderboards\.",
        ),
        (
            statement("INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_next', '')"),
            r"newer version, which has games\.9999_next",
        ),
        (statement("CREATE TABLE diary (day text)"), "tables of another program: diary"),
    ],
)
def test_a_file_of_another_kind_or_version_is_refused_in_words(
    file: Path, change: Callable[[Path], None], complaint: str
) -> None:
    change(file)
    with pytest.raises(moving.MoveError, match=complaint), moving.opened(file) as source:
        moving.require_same_version(source)


def test_a_file_that_a_server_has_open_is_refused_and_an_idle_one_is_not(file: Path) -> None:
    with moving.opened(file) as source:
        assert moving.count(source) > 0
    with closing(sqlite3.connect(file, isolation_level=None)) as server:
        server.execute("SELECT count(*) FROM games_game").fetchone()
        with pytest.raises(moving.MoveError, match="stop the server"), moving.opened(file):
            pass


@pytest.mark.parametrize("address", ["postgres://elsewhere/pyramid", "sqlite:///", "old.sqlite3"])
def test_only_a_file_can_be_moved(address: str) -> None:
    with pytest.raises(CommandError, match="is not sqlite:///path/to/file"):
        call_command("move_database", "--from", address)


def test_the_way_leads_to_postgresql_only(file: Path) -> None:
    with pytest.raises(CommandError, match="Nothing was moved: DATABASE_URL has to name the PostgreSQL"):
        call_command("move_database", "--from", f"sqlite:///{file}")


@pytest.mark.parametrize(
    ("one", "other"),
    [({"a": 1e22, "b": -0.0}, {"b": 0, "a": 10**22}), (b"\0\xff", memoryview(b"\0\xff"))],
)
def test_a_value_counts_the_same_from_both_databases(one: object, other: object) -> None:
    assert moving._checksum(iter([(one,), (7,)]), abs) == moving._checksum(iter([(7,), (other,)]), abs)
    assert moving._checksum(iter([("7",)]), abs) != moving._checksum(iter([(7,)]), abs)
