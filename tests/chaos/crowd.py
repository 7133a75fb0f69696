"""Players who play one game after the other, whatever happens to the servers, and what has to hold afterwards."""

from __future__ import annotations

import asyncio
import json
import sys
from random import Random
from typing import Any

from tests.chaos.player import PATIENCE_SECONDS, ScriptedGame, new_game
from tests.processes import run


class Crowd:
    """So many players at once. The same seed makes the same choices."""

    def __init__(self, size: int, chance: Random) -> None:
        self.games: list[ScriptedGame] = []
        self.moves = 0  # that were acknowledged
        self._size, self._chance = size, chance
        self._moved, self._over = asyncio.Event(), asyncio.Event()

    async def play(self, port: int) -> None:
        """Play until `go_home`, and end every game. Raises `AssertionError` if a server does what it must not."""
        async with asyncio.TaskGroup() as players:
            for _ in range(self._size):
                players.create_task(self._play_games(port, Random(self._chance.random())))

    def go_home(self) -> None:
        self._over.set()

    async def more_moves(self, count: int) -> None:
        """Wait until so many moves more were acknowledged."""
        until = self.moves + count
        while self.moves < until:
            self._moved.clear()
            await asyncio.wait_for(self._moved.wait(), PATIENCE_SECONDS)

    def check(self, environment: dict[str, str]) -> None:
        """Require that the log of every game is what was acknowledged, no more and no less, and that it has ended."""
        kept = _kept_games(environment)
        for game in self.games:
            log = [[number, move] for number, move in enumerate(game.acknowledged, 1)]
            expected = {"log": log, "status": game.result, "replayed": len(log), "result": game.result}
            assert kept[game.id] == expected, game.id

    async def _play_games(self, port: int, chance: Random) -> None:
        while not self._over.is_set():
            game = ScriptedGame(await new_game(port), chance, self._count)
            self.games.append(game)
            await game.play(self._over.is_set)
            if self._over.is_set():
                await game.end()

    def _count(self) -> None:
        self.moves += 1
        self._moved.set()


def _kept_games(environment: dict[str, str]) -> dict[str, Any]:
    """Read every game from the database, by its identifier."""
    answer = run([sys.executable, "-m", "tests.chaos.logs"], environment)
    assert answer.returncode == 0, answer.stderr
    games: dict[str, Any] = json.loads(answer.stdout)
    return games
