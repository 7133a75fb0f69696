"""docs/standby.md from top to bottom: the machine of the database is lost in mid-play, and its standby takes over."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import NamedTuple
from urllib.error import HTTPError

import pytest

from tests.journeys.conftest import Server, uvicorn
from tests.journeys.drawing import Drawing
from tests.journeys.guides import blocks
from tests.processes import MANAGE, QUICK, UNLIMITED, run
from tests.with_servers import (
    DATA,
    TIMEOUT_SECONDS,
    Service,
    make_cluster,
    postgresql_folder,
    postgresql_in,
    unprivileged,
    wait_for,
)

pytestmark = pytest.mark.servers

PLAYERS, MOVES = 3, 10
PAUSE_SECONDS = 0.1
SLOT, COPY, WAIT, STATE, NODES, PROMOTE, _ALONE = blocks("standby.md", "sh")


class Machine(NamedTuple):
    """A PostgreSQL in a folder."""

    folder: Path
    service: Service


class Machines(NamedTuple):
    """The machines that the guide calls db1 and db2, and how to be the owner of their databases."""

    db1: Machine
    db2: Machine
    owner: dict[str, object]

    def follow(self, block: str, on: Machine) -> str:
        """Run a block of the guide on a machine."""
        here = {
            "sudo -u postgres psql": f"psql --no-psqlrc --quiet --dbname={on.service.url}",
            "sudo -u postgres ": "",
            "sudo systemctl": ": systemctl",
            "/var/lib/postgresql/17/main": f"{on.folder}/{DATA}",
            "rm -r ": "rm -rf ",
            "host=db1 ": f"host={self.db1.folder} ",
        }
        for documented, replacement in here.items():
            block = block.replace(documented, replacement)
        command = ["/bin/bash", "-euo", "pipefail", "-c", f"PATH={postgresql_folder()}:$PATH\n{block}"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=on.folder, check=False, **self.owner)  # type: ignore[call-overload]
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    def address(self) -> str:
        """Return the address that the guide gives to nodes."""
        both = f"{self.db1.service.url.partition('@')[2].partition('/')[0]},{self.db2.service.url.partition('@')[2]}"
        _, _, documented = NODES.strip().partition("=")
        return documented.strip('"').replace("pyramid_server:SERVER@db1,db2/pyramid", f"pyramid@{both}")


@contextmanager
def primary_and_standby() -> Iterator[tuple[Machines, dict[str, str]]]:
    """Follow the guide until both run; return them with the environment of nodes."""
    programs = postgresql_folder()
    assert programs is not None
    with ExitStack() as kept:
        folders = [Path(kept.enter_context(TemporaryDirectory(prefix="pyramid-"))) for _ in range(2)]
        [owner, _] = [unprivileged(folder) for folder in folders]
        db1, db2 = (Machine(one, postgresql_in(programs, one, owner, fsync=True)) for one in folders)
        machines = Machines(db1, db2, owner)
        make_cluster(programs, db1.folder, owner)
        with db1.service.running():
            environment = {**os.environ, **QUICK, **UNLIMITED, "PYRAMID_SECRET_KEY": secrets.token_urlsafe(50)}
            migrated = run(
                [*MANAGE, "migrate", "--no-input"], environment | {"DATABASE_URL": db1.service.url}, timeout=300
            )
            assert migrated.returncode == 0, migrated.stderr
            machines.follow(SLOT, db1)
            machines.follow(COPY, db2)
            with db2.service.running():
                machines.follow(WAIT, db1)
                yield machines, environment | {"DATABASE_URL": machines.address()}


class Players:
    """Players who never stop, whatever the server says."""

    def __init__(self, server: Server) -> None:
        self.all = [Drawing(server) for _ in range(PLAYERS)]
        self.refused = Event()
        self._enough = Event()
        self._playing: list[Future[None]] = []

    @contextmanager
    def playing(self) -> Iterator[None]:
        with ThreadPoolExecutor(PLAYERS) as pool:
            self._playing = [pool.submit(self._play, one) for one in self.all]
            try:
                yield
            finally:
                self._enough.set()
        self.require_nobody_left()

    def _play(self, player: Drawing) -> None:
        while not self._enough.is_set():
            try:
                player.move()
            except HTTPError as error:
                error.close()
                if error.code != 503:  # the server and the player do not agree on how many moves there were
                    raise
                self.refused.set()
                self._enough.wait(PAUSE_SECONDS)

    def require_nobody_left(self) -> None:
        """Raise what stopped a player."""
        for one in self._playing:
            if one.done():
                one.result()

    def require_moves(self, least: list[int]) -> None:
        self.require_nobody_left()
        assert all(player.acknowledged >= moves for player, moves in zip(self.all, least, strict=True))


def test_no_acknowledged_move_is_lost_with_the_machine_of_the_database_and_play_goes_on() -> None:
    with (
        primary_and_standby() as (machines, environment),
        Server(environment, uvicorn).running() as server,
    ):
        assert machines.follow(STATE, machines.db1) == "standby|streaming|sync\n"
        players = Players(server)
        with players.playing():
            wait_for(server._process, lambda: players.require_moves([MOVES] * PLAYERS), AssertionError)
            machines.db1.service.stop(signal.SIGKILL)
            shutil.rmtree(machines.db1.folder)
            assert players.refused.wait(TIMEOUT_SECONDS)
            machines.follow(PROMOTE, machines.db2)
            more = [player.acknowledged + MOVES for player in players.all]
            wait_for(server._process, lambda: players.require_moves(more), AssertionError)
        assert [player.stored for player in players.all] == [player.acknowledged for player in players.all]
