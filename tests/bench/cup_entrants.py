"""Entrants of a cup, over real sockets: they qualify, hear of their matches, play them, and come back when cut off."""

from __future__ import annotations

import asyncio
import json
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from time import time
from typing import Any, NamedTuple, TypeVar

from tests.bench.sockets import Endpoint, HungUp, Socket, opened
from tests.moves import takes_from_pyramid

DAY = "/ws/daily/standard/"
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # as docs/live-protocol.md asks
UNSEEN = "?"  # a move that was kept while its answer was lost

Message = dict[str, Any]
Done = TypeVar("Done")


class Pace(NamedTuple):
    """The fewest and the most moves of a game, and seconds of thought before each."""

    moves: tuple[int, int] = (12, 20)
    thought: tuple[float, float] = (1.0, 3.0)


class Seen:
    """Everything that the entrants have seen. Times are those of the clock, in seconds.

    `waits` are of moves that were answered on the connection over which they were made, each with the time at which it
    was asked; `cut_off` counts the others. `returned` are those who were cut off: from when, and until when.
    """

    def __init__(self) -> None:
        self.waits: list[tuple[float, float]] = []
        self.cut_off = 0
        self.returned: list[tuple[float, float]] = []
        self.acknowledged: defaultdict[str, list[str]] = defaultdict(list)
        self.dealt: defaultdict[str, list[float]] = defaultdict(list)  # by race
        self.finished: defaultdict[str, list[float]] = defaultdict(list)

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Seen:
        """Return what `vars` told, as JSON has it."""
        seen = cls()
        seen.waits, seen.returned = ([(one, other) for one, other in fields[name]] for name in ("waits", "returned"))
        seen.cut_off = fields["cut_off"]
        for name in ("acknowledged", "dealt", "finished"):
            vars(seen)[name].update(fields[name])
        return seen

    def add(self, other: Seen) -> None:
        """Take over what others have seen, who have other games, maybe of the same races."""
        self.waits += other.waits
        self.returned += other.returned
        self.cut_off += other.cut_off
        self.acknowledged.update(other.acknowledged)
        for kept, new in ((self.dealt, other.dealt), (self.finished, other.finished)):
            for race, times in new.items():
                kept[race] += times


class Entrant:
    """A player with a token, who turns to any of the ports."""

    def __init__(self, token: str, ports: Sequence[int], pace: Pace, seen: Seen) -> None:
        self._token, self._ports, self._pace, self._seen = token, ports, pace, seen

    async def play_daily(self) -> None:
        """Play today's deal at the same pace, for comparison."""
        await self._play(DAY)

    async def qualify(self, cup: str) -> None:
        await self._play(f"/ws/cups/{cup}/play/")

    async def play_matches(self) -> None:
        """Play every match when it begins; without end."""
        async for race in self._matches():
            await self._play(f"/ws/races/{race}/play/", race)

    async def _matches(self) -> AsyncIterator[str]:
        """Yield the races of matches; a connection begins with the one that has begun meanwhile."""
        known: set[str] = set()
        while True:
            socket, news = await self._again(lambda: self._open("/ws/me/"))
            try:
                while True:
                    for race in reversed([one["subject"] for one in news["notifications"] if _is_match(one)]):
                        if race not in known:
                            known.add(race)
                            yield race
                    news = json.loads(await socket.text())
            except OSError:
                continue
            finally:
                socket.hang_up()

    async def _play(self, path: str, race: str = "") -> None:
        game = Play(self._pace, self._seen, race)
        while not game.is_over:
            socket, state = await self._again(lambda path=path: self._open(path))  # type: ignore[misc]
            path = f"/ws/games/{state['game']}/"  # which comes back with fewer questions to the database
            try:
                await game.go_on(socket, state)
            except OSError:
                game.cut_off()
            finally:
                socket.hang_up()

    async def _again(self, attempt: Callable[[], Awaitable[Done]]) -> Done:
        """Try until nobody is cut off, each time after a longer pause, or the one that a server asks for."""
        pause = FIRST_PAUSE
        while True:
            try:
                return await attempt()
            except (OSError, EOFError) as error:
                asked = error.asked if isinstance(error, HungUp) else 0
                await asyncio.sleep(asked or random.uniform(pause / 2, pause))
                pause = min(2 * pause, LONGEST_PAUSE)

    async def _reach(self, attempt: Callable[[int], Awaitable[Done]]) -> Done:
        """Turn to any process, and to the next one if it is not there, as the proxy in front of them does."""
        *others, last = random.sample(self._ports, len(self._ports))
        for port in others:
            with suppress(ConnectionRefusedError):
                return await attempt(port)
        return await attempt(last)

    async def _open(self, path: str) -> tuple[Socket, Message]:
        [socket] = await self._reach(lambda port: opened([Endpoint(port, path, self._token)]))
        try:
            while (first := json.loads(await socket.text()))["type"] in {"room", "standings"}:
                pass  # the race has not begun
            return socket, first
        except BaseException:
            socket.hang_up()
            raise


class Play:
    """One game, over one connection or several."""

    def __init__(self, pace: Pace, seen: Seen, race: str) -> None:
        self._thought, self._seen, self._race = pace.thought, seen, race
        self._left = random.randint(*pace.moves)
        self._log: list[str] = []
        self._is_measured = False
        self._cut_off_at = 0.0
        self.is_over = False

    def cut_off(self) -> None:
        self._seen.cut_off += self._is_measured
        self._is_measured = False
        self._cut_off_at = time()

    async def go_on(self, socket: Socket, state: Message) -> None:
        """Play on from a state until the game is over. Raises `AssertionError` if an acknowledged move is missing."""
        self._compare(state)
        known = state
        while known.get("outcome") != "won" and state["result"] == "*" and known["legal"] and self._left:
            await socket.stay(random.uniform(*self._thought))
            known = await self._move(socket, known)
        if state["result"] == "*":
            if known["outcome"] != "won":
                socket.say(json.dumps({"type": "resign", "id": 0, "version": known["version"]}).encode())
            while json.loads(await socket.text())["type"] != "finished":
                pass
        self.is_over = True
        self._seen.finished[self._race].append(time())

    def _compare(self, state: Message) -> None:
        """Note when the cards were there, and compare them with what was acknowledged; one move more may be kept."""
        now = time()
        self._log = self._seen.acknowledged[state["game"]]
        assert state["type"] == "state", state
        assert state["version"] - len(self._log) in {0, 1}, (state, self._log)
        if state["version"] > len(self._log):
            self._log.append(UNSEEN)
        if self._cut_off_at:
            self._seen.returned.append((self._cut_off_at, now))
        else:
            self._seen.dealt[self._race].append(now)

    async def _move(self, socket: Socket, known: Message) -> Message:
        """Make a move that takes a pair, if there is one, and return the answer."""
        legal: list[str] = known["legal"]
        pairs = [move for move in legal if takes_from_pyramid(move)]
        move = {"type": "play", "id": 1, "version": known["version"], "move": random.choice(pairs or legal)}
        asked, self._is_measured = time(), True
        socket.say(json.dumps(move).encode())
        # A move whose answer was lost may follow the state, and has no id then.
        while (played := json.loads(await socket.text())).get("id") != move["id"]:
            assert played["type"] in {"unwinnable", "played"}, played
        if played["type"] == "refused":  # time is up, or the move before, whose answer was lost, was stored late
            assert played["code"] in {"stale_version", "game_over"}, played
            raise ConnectionResetError("looks at the state again")
        self._seen.waits.append((asked, time() - asked))
        self._is_measured = False
        self._log.append(played["move"])
        self._left -= 1
        return dict(played)


def _is_match(notification: Message) -> bool:
    return bool(notification["kind"] == "cup_match")
