"""Players who play one game after the other, whatever happens to the servers, and what has to hold afterwards."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

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

    def check(self, environment: dict[str, str]) -> None:
        """Require that the log of every game is what was acknowledged, no more and no less, and that it has ended."""
        kept = _kept_games(environment)
        for game in self.games:
            log = [[number, move] for number, move in enumerate(game.acknowledged, 1)]
            expected = {"log": log, "status": game.result, "replayed": len(log), "result": game.result}
            assert kept[game.id] == expected, game.id
            assert list(map(list, sorted(game.told.items()))) == [step for step in log if step[0] in game.told], game.id

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
        game.when_acknowledged = self._count
        self.games.append(game)

    async def _watch(self, url: str, game: ScriptedGame) -> None:
        await game.has_begun.wait()
        result = await watch(url, game.path, game.told)
        assert game.result in {result, "*"}, (game.id, game.result, result)
        self.watched += 1

    def _count(self) -> None:
        self.moves += 1
        self._moved.set()


def _kept_games(environment: dict[str, str]) -> dict[str, Any]:
    """Read every game from the database, by its identifier."""
    answer = run([sys.executable, "-m", "tests.chaos.logs"], environment)
    assert answer.returncode == 0, answer.stderr
    games: dict[str, Any] = json.loads(answer.stdout)
    return games
