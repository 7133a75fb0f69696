"""docs/standby.md from top to bottom: the machine of the database is lost in mid-play, and its standby takes over."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from urllib.error import HTTPError

import pytest

from tests.journeys.conftest import Server, uvicorn
from tests.journeys.drawing import Drawing
from tests.journeys.machines import PROMOTE, STATE, primary_and_standby
from tests.with_servers import TIMEOUT_SECONDS, wait_for

pytestmark = pytest.mark.servers

PLAYERS, MOVES = 3, 10
PAUSE_SECONDS = 0.1


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
            wait_for(server.process, lambda: players.require_moves([MOVES] * PLAYERS), AssertionError)
            machines.db1.service.stop(signal.SIGKILL)
            shutil.rmtree(machines.db1.folder)
            assert players.refused.wait(TIMEOUT_SECONDS)
            machines.follow(PROMOTE, machines.db2)
            more = [player.acknowledged + MOVES for player in players.all]
            wait_for(server.process, lambda: players.require_moves(more), AssertionError)
        assert [player.stored for player in players.all] == [player.acknowledged for player in players.all]
