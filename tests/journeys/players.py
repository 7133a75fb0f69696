"""Players who never stop, whatever the server says."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from urllib.error import HTTPError

from tests.journeys.conftest import Server
from tests.journeys.drawing import Drawing
from tests.with_servers import TIMEOUT_SECONDS, wait_for

PLAYERS, MOVES = 3, 10
PAUSE_SECONDS, PAUSE_AFTER_REFUSAL, LONG_PAUSE = 0.1, 0.3, 1.0


class Players:
    """Some who draw a card and take it back, and repeat what was refused."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._all = [Drawing(server) for _ in range(PLAYERS)]
        self._refused, self._enough = Event(), Event()
        self._playing: list[Future[None]] = []
        self._pause = PAUSE_SECONDS

    @contextmanager
    def at_leisure(self) -> Iterator[None]:
        """Have them think for longer while the block runs: nothing happens in it that might lose a move."""
        self._pause = LONG_PAUSE
        try:
            yield
        finally:
            self._pause = PAUSE_SECONDS

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Have them play while the block runs; no move that was acknowledged may be missing afterwards."""
        with ThreadPoolExecutor(PLAYERS) as pool:
            self._playing = [pool.submit(self._play, one) for one in self._all]
            try:
                yield
            finally:
                self._enough.set()
        self._require_nobody_left()
        assert [one.stored for one in self._all] == [one.acknowledged for one in self._all]

    def move(self) -> None:
        """Wait until each of them has moved some times."""
        least = [one.acknowledged + MOVES for one in self._all]
        wait_for(self._server.process, lambda: self._require_moves(least), AssertionError)

    def wait_for_refusal(self) -> None:
        """Wait until one of them is refused from now on."""
        self._refused.clear()
        assert self._refused.wait(TIMEOUT_SECONDS)

    def _play(self, player: Drawing) -> None:
        while not self._enough.is_set():
            pause = self._pause
            try:
                player.move()
            except HTTPError as error:
                error.close()
                if error.code != 503:  # the server and the player do not agree on how many moves there were
                    raise
                self._refused.set()
                pause = max(pause, PAUSE_AFTER_REFUSAL)
            self._enough.wait(pause)  # a game has a limited number of actions

    def _require_nobody_left(self) -> None:
        """Raise what stopped a player."""
        for one in self._playing:
            if one.done():
                one.result()

    def _require_moves(self, least: list[int]) -> None:
        self._require_nobody_left()
        assert all(one.acknowledged >= moves for one, moves in zip(self._all, least, strict=True))
