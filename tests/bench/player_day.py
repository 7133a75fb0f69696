"""The cost of a player's day for a server: an account, a start, sixty durable moves, and the end with all boards.

Many players at once, each step of all of them before the next; processor time is that of the server's one process, with
all its threads. `python -m tests.with_servers --fsync python -m tests.bench player_day` measures on PostgreSQL.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import count
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from tests.bench.live import database, game_server
from tests.bench.sockets import Ask, Endpoint, Socket, closed_loop, opened
from tests.bench.table import Row
from tests.moves import takes_from_pyramid
from tests.processes import cpu_seconds

PLAYERS, MOVES, AT_ONCE = 400, 60, 32
THOUGHT = 0.2  # seconds
EARLIER = 40  # players before those who are measured, so that nothing is loaded for the first time meanwhile
READS = 300
FEW_MOVES = 30
DAY = "/ws/daily/standard/"

_numbers = count(1)  # each account has a name of its own, as most people choose one


def rows() -> Iterator[Row]:
    with game_server("uvicorn") as (pid, port, _):
        asyncio.run(days(pid, port, [], EARLIER))
        waits: list[float] = []
        steps = asyncio.run(days(pid, port, waits, PLAYERS))
        yield Row(
            f"player-day: {database()}: first state, {AT_ONCE} starting at once: median", median(waits) * 1e3, "ms"
        )
        yield Row(f"player-day: {database()}: first state: p99", sorted(waits)[len(waits) * 99 // 100] * 1e3, "ms")
        yield Row(f"player-day: {database()}: starts", AT_ONCE * len(waits) / sum(waits), "/s")
        for step, seconds in steps.items():
            yield Row(f"player-day: {database()}: {step}: server CPU", seconds / PLAYERS * 1e3, "ms")
        yield Row(f"player-day: {database()}: all of it: server CPU", sum(steps.values()) / PLAYERS * 1e3, "ms")
        thinking = asyncio.run(days(pid, port, [], PLAYERS, thought=THOUGHT))[f"{MOVES} moves"]
        what = f"{MOVES} moves of {PLAYERS} who think {THOUGHT * 1e3:.0f} ms"
        yield Row(f"player-day: {database()}: {what}: server CPU", thinking / PLAYERS * 1e3, "ms")
        yield from _rest_starts(pid, port)
        yield from _reads(pid, port)


def _rest_starts(pid: int, port: int) -> Iterator[Row]:
    """Measure starts of attempts over REST, whose layouts nobody looks at."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        tokens = list(threads.map(guest, [port] * PLAYERS))
        begun, before = perf_counter(), cpu_seconds(pid)
        list(threads.map(_start_over_rest, [port] * PLAYERS, tokens))
        seconds, cpu = perf_counter() - begun, cpu_seconds(pid) - before
    what = f"player-day: {database()}: starts over REST, {AT_ONCE} at once"
    yield Row(what, PLAYERS / seconds, "/s")
    yield Row(f"{what}: server CPU", cpu / PLAYERS * 1e3, "ms")


def _start_over_rest(port: int, token: str) -> None:
    connection = HTTPConnection("127.0.0.1", port)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    connection.request("POST", "/api/games/", b'{"kind":"daily","rules":"standard"}', headers)
    answer = connection.getresponse()
    assert answer.status == 201, answer.read()
    connection.close()


class Day(NamedTuple):
    """A way to ask a server for the steps of a day: an account with its token, a start, moves, and the end."""

    account: Callable[[int], str]
    start: Callable[[int, str], Awaitable[tuple[Socket, bytes]]]
    move: Ask
    end: Callable[[Socket, bytes], Awaitable[None]]


async def days(
    pid: int, port: int, waits: list[float], players: int, thought: float = 0, *, day: Day | None = None
) -> dict[str, float]:
    """Have all players live through a day, and return the processor seconds of each step.

    Those who think, for `thought` seconds before each move, all play at the same time.

    `waits` gets for each player the seconds from opening the socket to the first state.
    """
    ask = day or OURS
    steps: dict[str, float] = {}

    async def measured(step: str, work: Awaitable[Any]) -> Any:
        before = cpu_seconds(pid)
        done = await work
        steps[step] = cpu_seconds(pid) - before
        return done

    async def start(token: str) -> tuple[Socket, bytes]:
        asked = perf_counter()
        begun = await ask.start(port, token)
        waits.append(perf_counter() - asked)
        return begun

    async def play(playing: tuple[Socket, bytes]) -> tuple[Socket, bytes]:
        return playing[0], (await closed_loop(playing[0], ask.move, playing[1], MOVES, pause=thought))[1]

    async def end(playing: tuple[Socket, bytes]) -> None:
        await ask.end(*playing)
        playing[0].hang_up()

    accounts = [asyncio.to_thread(ask.account, port) for _ in range(players)]
    tokens = await measured("an account", some_at_once(lambda account: account, accounts))
    games = await measured("start to first state", some_at_once(start, tokens))
    games = await measured(f"{MOVES} moves", some_at_once(play, games, players if thought else AT_ONCE))
    await measured("end with all boards", some_at_once(end, games))
    return steps


async def _start(port: int, token: str) -> tuple[Socket, bytes]:
    [socket] = await opened([Endpoint(port, DAY, token)])
    return socket, await socket.text()


async def _end(socket: Socket, last: bytes) -> None:
    socket.say(b'{"type":"resign","id":1,"version":%s}' % last.partition(b'"version":')[2].partition(b",")[0])
    while b'"placed"' not in await socket.text():
        pass


def _move(last: bytes) -> bytes:
    """Remove a pair at first, so that the game has a rank, and later draw, lest it end before its time."""
    known = json.loads(last)
    legal: list[str] = known["legal"]
    pairs = [move for move in legal if takes_from_pyramid(move)]
    talon = [move for move in legal if move in {"D", "R"}]
    move = (pairs or talon or legal)[0] if known["moves"] < FEW_MOVES else (talon or legal)[0]
    return json.dumps({"type": "play", "id": 1, "version": known["version"], "move": move}).encode()


async def first_moves(socket: Socket) -> bytes:
    """Remove a pair, so that the game will have a rank, and return the server's last message."""
    last, has_rank = await socket.text(), False
    while not has_rank:
        has_rank = takes_from_pyramid(json.loads(move := _move(last))["move"])
        [_], last = await closed_loop(socket, lambda _, move=move: move, last, 1)  # type: ignore[misc]
    return last


async def some_at_once(work: Callable[[Any], Awaitable[Any]], items: list[Any], at_once: int = AT_ONCE) -> list[Any]:
    """Do the work of all items, so many at once, and return the results in their order."""
    places = asyncio.Semaphore(at_once)

    async def one(item: Any) -> Any:
        async with places:
            return await work(item)

    return await asyncio.gather(*map(one, items))


def guest(port: int) -> str:
    """Make a guest and return its token. It is a bot: people who were so fast would get no rank."""
    connection = HTTPConnection("127.0.0.1", port)
    wanted = json.dumps({"display_name": f"Player {next(_numbers)}", "is_bot": True})
    connection.request("POST", "/api/guests/", wanted, {"Content-Type": "application/json"})
    token: str = json.load(connection.getresponse())["token"]
    connection.close()
    return token


OURS = Day(guest, _start, _move, _end)


def _reads(pid: int, port: int) -> Iterator[Row]:
    """Measure what is read again and again, by someone unknown and by a player, on one connection."""
    connection = HTTPConnection("127.0.0.1", port)

    def read(path: str, headers: dict[str, str]) -> tuple[str, Any]:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status == (304 if "If-None-Match" in headers else 200), text
        return answer.headers["ETag"] or "", json.loads(text or b"null")

    for what, asked in _asked(read, {"Authorization": f"Bearer {guest(port)}"}).items():
        before = cpu_seconds(pid)
        for number in range(READS):
            read(*asked[number % len(asked)])
        yield Row(f"reading: {database()}: {what}: server CPU", (cpu_seconds(pid) - before) / READS * 1e3, "ms")


def _asked(read: Callable[..., tuple[str, Any]], player: dict[str, str]) -> dict[str, list[tuple[str, dict[str, str]]]]:
    """Return what is read; of a board the table over and over, and rows that nobody has asked for before."""
    slugs = [board["slug"] for board in read("/api/boards/", player)[1]["boards"]]
    tables = {slug: read(f"/api/boards/{slug}/?limit=100", {})[1]["rows"] for slug in slugs}
    slug = max(tables, key=lambda slug: len(tables[slug]))
    board, handles = f"/api/boards/{slug}/", [row["player"]["handle"] for row in tables[slug]]
    known = {"If-None-Match": read(board, {})[0]}
    return {
        "/health/live": [("/health/live", {})],
        "today": [("/api/daily/", {})],
        "today, by a player": [("/api/daily/", player)],
        "a board": [(board, {})],
        "around a player, each for the first time": [
            (f"{board}?around={handle}&limit={10 + extra}", {}) for extra in range(3) for handle in handles
        ],
        "a standing, each for the first time": [
            (f"{board}players/{handle}/?verified=false{'&' * extra}", {}) for extra in range(3) for handle in handles
        ],
        "a board, unchanged": [(board, known)],
        "a board, unchanged, by a player": [(board, known | player)],
    }
