"""docs/postgresql.md from top to bottom: a server with games in progress moves from SQLite to a real PostgreSQL."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings

from tests.games.history import HISTORY
from tests.journeys.conftest import Server
from tests.journeys.guides import blocks
from tests.journeys.shell import python_of_scripts
from tests.processes import MANAGE, QUICK, migrated_database, run
from tests.with_servers import Services, postgresql_folder, running_services

PROGRAMS = postgresql_folder()
pytestmark = [
    pytest.mark.skipif(settings.DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3", reason="from SQLite"),
    pytest.mark.skipif(
        PROGRAMS is None or not shutil.which("psql") or not shutil.which("redis-server"),
        reason="PostgreSQL and Redis are needed (apt-get install postgresql redis-server)",
    ),
]
COPY, ROLES, MOVE, CHECK, SERVE = blocks("postgresql.md", "sh")
MOVE_WITHOUT_KEY = "".join(line for line in MOVE.splitlines(keepends=True) if "LOG_KEY" not in line)
SIGN = """
from games.runtime.clock import clock
from games.tlog.models import Checkpoint
from games.tlog.signing import sign_log
sign_log(clock.now())  # with another key it raises an error
print(Checkpoint.objects.last().origin)
"""
MOVE_TO_TABLES = MOVE.replace(".venv/bin/python manage.py migrate --no-input\n", "")  # which are there already


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    assert PROGRAMS is not None
    with running_services(PROGRAMS) as services:
        yield services


class Guide:
    """The blocks of the guide, as run in a folder by somebody who has a server on SQLite there."""

    def __init__(self, folder: Path, services: Services, python: str) -> None:
        shutil.copy(migrated_database(), folder / "pyramid.sqlite3")
        (folder / "secret_key").write_text(secrets.token_urlsafe(50))
        self.before = {
            **{name: value for name, value in os.environ.items() if name != "REDIS_URL"},
            **QUICK,
            "DATABASE_URL": f"sqlite:///{folder}/pyramid.sqlite3",
            "PYRAMID_SECRET_KEY": (folder / "secret_key").read_text(),
        }
        _, _, place = services.postgresql.url.partition("@")
        self._here = {
            ".venv/bin/python": python,
            "before-postgresql.backup": f"{folder}/before.backup",
            "sudo -u postgres psql": f"psql --no-psqlrc --dbname={services.postgresql.url}",
            "localhost:5432": place.rpartition("/")[0],
            "sqlite:///var/": f"sqlite:///{folder}/",
            "var/secret_key": f"{folder}/secret_key",
            "var/pyramid.sqlite3.log_key": f"{folder}/pyramid.sqlite3.log_key",
        }
        self.after = self.before | {"DATABASE_URL": self.written(SERVE).splitlines()[0].partition("=")[2]}

    def written(self, block: str) -> str:
        for documented, here in self._here.items():
            block = block.replace(documented, here)
        return block

    def run(self, block: str) -> subprocess.CompletedProcess[str]:
        return run(["/bin/bash", "-euo", "pipefail", "-c", self.written(block)], self.before, timeout=300)

    def follow(self, block: str) -> str:
        done = self.run(block)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def guide(tmp_path: Path, services: Services) -> Iterator[Guide]:
    with python_of_scripts() as python:
        yield Guide(tmp_path, services, python)


def test_games_go_on_and_ranks_and_proofs_stay_what_they_are(guide: Guide) -> None:
    day, *games = manage(guide.before, "shell", "--no-imports", "--command", HISTORY).split()
    log = signed_log(guide.before)
    guide.follow(COPY)
    guide.follow(ROLES)
    with Server(guide.before).running() as old:
        token = old.post("/api/guests/", {"display_name": "Carol"})["token"]
        game = old.post("/api/games/", {"kind": "daily", "rules": "standard"}, token)["id"]
        draw(old, game, old.get(f"/api/games/{game}/state/", token), token)
        state = old.get(f"/api/games/{game}/state/", token)
        known = answers(old, day, games)
        refused = guide.run(MOVE)
        assert (refused.returncode, "is in use: stop the server" in refused.stderr) == (1, True), refused.stderr
        old.stop(signal.SIGTERM)
    assert "moved: the key of its log has to come along: export PYRAMID_LOG_KEY=" in guide.run(MOVE_WITHOUT_KEY).stderr
    moved = guide.follow(MOVE_TO_TABLES)
    assert "and compared them" in moved
    assert "the database is not empty" in guide.run(MOVE_TO_TABLES).stderr
    server_moves = guide.run(MOVE_TO_TABLES.replace("owner:OWNER", "server:SERVER"))
    assert "Connect as the role that migrates" in server_moves.stderr
    assert "All results agree with the logs: verified 2 games" in guide.follow(CHECK)
    guide.after["PYRAMID_LOG_KEY"] = Path(guide.written("var/pyramid.sqlite3.log_key")).read_text()
    assert signed_log(guide.after) == log
    with Server(guide.after).running() as new:
        assert answers(new, day, games) == known
        assert new.get(f"/api/games/{game}/state/", token)["position"] == state["position"]
        state = draw(new, game, state, token)
        new.post(f"/api/games/{game}/resign/", {"version": state["version"]}, token)
        assert new.post("/api/guests/", {"display_name": "Dave"})["player"]["display_name"] == "Dave"
    with (
        psycopg.connect(guide.after["DATABASE_URL"]) as connection,
        pytest.raises(psycopg.errors.IntegrityError, match="what was decided or sealed is never changed"),
    ):
        connection.execute("UPDATE leaderboards_dayroot SET root = ''")


def manage(environment: dict[str, str], *words: str) -> str:
    done = run([*MANAGE, *words], environment, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def signed_log(environment: dict[str, str]) -> str:
    """Have the head of the log signed, and return its origin."""
    return manage(environment, "shell", "--no-imports", "--command", SIGN)


def draw(server: Server, game: str, state: Any, token: str) -> Any:
    return server.post(f"/api/games/{game}/actions/", {"version": state["version"], "action": "D"}, token)


def answers(server: Server, day: str, games: list[str]) -> list[Any]:
    """Return what a server says about a past day: its table, its seal, proofs and records."""
    board = f"/api/boards/daily.{day}.standard.open.fewest-moves/"
    paths = [board, "/api/daily/commitments/"]
    paths += [f"/api/games/{game}/record/" for game in games]
    return [server.get(path) for path in paths]
