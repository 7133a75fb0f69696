"""Players who play one game after the other, whatever happens to the servers, and what has to hold afterwards."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

from tests.chaos.checker import anomalies
from tests.chaos.history import History
from tests.chaos.player import ScriptedGame
from tests.chaos.racing import race, race_without_host
from tests.chaos.rest import TIMEOUT_SECONDS, new_guest
from tests.chaos.watcher import watch
from tests.processes import run

PRACTICE = {"kind": "practice", "rules": "standard"}  # which anyone may watch
DAILY = {"kind": "daily", "rules": "standard"}
WATCHED = 0.3  # of all games


class Crowd:
    """So many players at once, and some who race. The same seed makes the same choices.

    They have many devices, and watchers, where all processes of the server hear of each other.
    """

    def __init__(self, size: int, chance: Random, *, has_many_devices: bool = False) -> None:
        self.games: list[ScriptedGame] = []
        self.history = History()
        self.moves = 0  # that were acknowledged
        self.watched = 0  # games
        self.races = 0
        self._size, self._chance, self._has_many_devices = size, chance, has_many_devices
        self._moved, self._over = asyncio.Event(), asyncio.Event()

    async def play(self, url: str) -> None:
        """Play until `go_home`, and end every game. Raises `AssertionError` if a server does what it must not."""
        async with asyncio.TaskGroup() as players:
            for _ in range(self._size):
                players.create_task(self._play_games(url, Random(self._chance.random())))
            chance = Random(self._chance.random())
            players.create_task(self._race_on(lambda: race(url, chance, self._over.is_set, self._begin)))
            players.create_task(self._race_on(lambda: race_without_host(url)))

    def go_home(self) -> None:
        self._over.set()

    async def more_moves(self, count: int) -> None:
        """Wait until so many moves more were acknowledged."""
        until = self.moves + count
        while self.moves < until:
            self._moved.clear()
            await asyncio.wait_for(self._moved.wait(), TIMEOUT_SECONDS)

    def check(self, environment: dict[str, str], least_faults: int = 0, file: Path | None = None) -> None:
        """Require that what is kept is what was acknowledged, no more and no less; the history stays in the file."""
        for game in self.games:
            for step in game.told.items():
                self.history.add("everyone", "ok", "show", game.id, step)
        kept = _kept(environment)
        if file is not None:
            self.history.write(file, kept)
        wrong = anomalies(self.history.operations, kept, least_faults)
        assert not wrong, "\n".join(wrong)

    async def _play_games(self, url: str, chance: Random) -> None:
        while not self._over.is_set():
            guest, is_watched = await new_guest(url), self._has_many_devices and chance.random() < WATCHED
            started = await guest.post("/api/games/", PRACTICE if is_watched else DAILY)
            game = ScriptedGame(guest, started["socket"], chance, has_many_devices=self._has_many_devices)
            self._begin(game)
            async with asyncio.TaskGroup() as everyone:
                if is_watched:
                    everyone.create_task(self._watch(url, game))
                await game.play(self._over.is_set)
                await game.end()

    async def _race_on(self, race: Callable[[], Awaitable[None]]) -> None:
        """Run one race after the other."""
        while self._has_many_devices and not self._over.is_set():
            await race()
            self.races += 1

    def _begin(self, game: ScriptedGame) -> None:
        game.when_acknowledged, game.history = self._count, self.history
        self.games.append(game)

    async def _watch(self, url: str, game: ScriptedGame) -> None:
        await game.has_begun.wait()
        result = await watch(url, game.path, game.told)
        assert game.result in {result, "*"}, (game.id, game.result, result)
        self.watched += 1

    def _count(self) -> None:
        self.moves += 1
        self._moved.set()


def _kept(environment: dict[str, str]) -> dict[str, Any]:
    """Read every game and every board from the database."""
    answer = run([sys.executable, "-m", "tests.chaos.logs"], environment, timeout=600)  # after a long storm it is much
    assert answer.returncode == 0, answer.stderr
    kept: dict[str, Any] = json.loads(answer.stdout)
    return kept
