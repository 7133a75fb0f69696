"""The cost of requests for a server: processor time of its one process, asked by others on connections that stay open.

`python -m tests.with_servers --fsync python -m tests.bench doors` measures on PostgreSQL and Redis.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import count
from typing import Any, TypeVar

from tests.bench.http import Answer, Asked, Connection, ask_all, connect
from tests.bench.live import database, draw, game_server
from tests.bench.sockets import Endpoint, closed_loop, opened
from tests.bench.table import Row
from tests.processes import cpu_seconds

WARM_UP, ACCOUNTS, PROBES, PAGES = 100, 600, 2_000, 300
PLAYERS, MOVES, TURNS = 32, 50, 4
CROWDS = (8, 32)

T = TypeVar("T")

_numbers = count(1)  # each account has a name of its own, as most people choose one


def rows() -> Iterator[Row]:
    with game_server("uvicorn") as (pid, port, _):
        asyncio.run(ask_all(port, new_guests(WARM_UP), max(CROWDS)))
        for connections in CROWDS:
            what = f"an account, {connections} connections"
            yield cost(what, pid, port, new_guests(ACCOUNTS), connections, 201)
        yield cost("a bare request", pid, port, [Asked("GET /health/live")] * PROBES, CROWDS[0])
        made = asyncio.run(ask_all(port, new_guests(2 * ACCOUNTS), CROWDS[0]))
        players = [json.loads(answer.body) for answer in made]
        tokens = [player["token"] for player in players]
        asyncio.run(ask_all(port, [_start(token) for token in tokens[:WARM_UP]], CROWDS[1]))
        yield cost("a ranked start", pid, port, [_start(token) for token in tokens[WARM_UP:ACCOUNTS]], CROWDS[1], 201)
        others = [tokens[first : first + PLAYERS] for first in range(ACCOUNTS, len(tokens), PLAYERS)]
        started = sum(asyncio.run(_started_over_sockets(pid, port, some)) for some in others) / ACCOUNTS
        yield _row("a ranked start over a socket, its handshake included", started)
        for turn in range(TURNS):
            over_rest, over_sockets = (tokens[PLAYERS * place :][:PLAYERS] for place in (2 * turn, 2 * turn + 1))
            yield _row("an action over REST", asyncio.run(_over_rest(pid, port, over_rest)))
            yield _row("a move over a socket", asyncio.run(_over_sockets(pid, port, over_sockets)))
        for what, path in (
            ("a page about a rule set", "/rules/standard/"),
            ("a page of a board", "/boards/"),
            ("the page of the days", "/days/"),
            ("a player's page", f"/players/{players[0]['player']['handle']}/"),
            ("the front page", "/"),
        ):
            for address, many in ((f"{path}?kept=no", PAGES), (path, PROBES)):  # with a query nothing is kept
                asyncio.run(ask_all(port, [Asked(f"GET {address}")] * CROWDS[0], 1))
                how = "kept" if address == path else "made for each request"
                yield cost(f"{what}, {how}", pid, port, [Asked(f"GET {address}")] * many, CROWDS[0])


def _start(token: str) -> Asked:
    return Asked("POST /api/games/", f"Authorization: Bearer {token}\r\n", b'{"kind":"daily","rules":"standard"}')


async def _over_rest(pid: int, port: int, tokens: list[str]) -> float:
    """Have players draw, each on a connection, and return the processor seconds of a move."""
    headers = [f"Authorization: Bearer {token}\r\n" for token in tokens]
    connections = [await connect(port) for _ in tokens]

    async def first(connection: Connection, token: str) -> Answer:
        games = await connection.ask(Asked("GET /api/games/", token))
        return await connection.ask(Asked(f"GET /api/games/{json.loads(games.body)['games'][0]['id']}/state/", token))

    async def draw_on(connection: Connection, token: str, state: Answer) -> None:
        game, last = json.loads(state.body)["game"], state
        for _ in range(MOVES):
            last = await connection.ask(_action(game, token, last))
            assert last.status == 200, last

    async def all_of(work: Callable[..., Awaitable[T]], *each: Sequence[Any]) -> list[T]:
        return await asyncio.gather(*map(work, connections, headers, *each))

    states = await all_of(first)
    before = cpu_seconds(pid)
    await all_of(draw_on, states)
    return (cpu_seconds(pid) - before) / MOVES / len(tokens)


def _action(game: str, token: str, last: Answer) -> Asked:
    known = json.loads(last.body)
    move = next(move for move in known["legal"] if move in {"D", "R"})
    action = json.dumps({"version": known["version"], "action": move}).encode()
    return Asked(f"POST /api/games/{game}/actions/", token, action)


async def _started_over_sockets(pid: int, port: int, tokens: list[str]) -> float:
    before = cpu_seconds(pid)
    sockets = await opened([Endpoint(port, "/ws/daily/standard/", token) for token in tokens])
    for socket in sockets:
        await socket.text()
    seconds = cpu_seconds(pid) - before
    for socket in sockets:
        socket.hang_up()
    return seconds


async def _over_sockets(pid: int, port: int, tokens: list[str]) -> float:
    """Return the same for players on sockets."""
    sockets = await opened([Endpoint(port, "/ws/daily/standard/", token) for token in tokens])
    states = [await socket.text() for socket in sockets]
    before = cpu_seconds(pid)
    pairs = zip(sockets, states, strict=True)
    await asyncio.gather(*(closed_loop(socket, draw, last, MOVES) for socket, last in pairs))
    seconds = cpu_seconds(pid) - before
    for socket in sockets:
        socket.hang_up()
    return seconds / MOVES / len(tokens)


def cost(what: str, pid: int, port: int, asked: list[Asked], connections: int, status: int = 200) -> Row:
    """Ask, and return the server's processor time for each request."""
    before = cpu_seconds(pid)
    answers = asyncio.run(ask_all(port, asked, connections))
    seconds = cpu_seconds(pid) - before
    assert {answer.status for answer in answers} == {status}, answers[-1]
    return _row(what, seconds / len(asked))


def _row(what: str, seconds: float) -> Row:
    return Row(f"doors: {database()}: {what}: server CPU", seconds * 1e3, "ms")


def new_guests(many: int) -> list[Asked]:
    """Return requests for accounts. They are bots: people who were so fast would get no rank."""
    names = (f"Player {next(_numbers)}" for _ in range(many))
    return [
        Asked("POST /api/guests/", body=json.dumps({"display_name": name, "is_bot": True}).encode()) for name in names
    ]
