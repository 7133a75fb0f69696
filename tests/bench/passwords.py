"""The time that players wait for their moves while many connections try passwords as fast as they are answered.

No limit counts them here, so the bound on hashes that are made at once is all that protects the players.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPConnection
from itertools import chain

from tests.bench.live import draw, game_server
from tests.bench.player_day import DAY, guest, some_at_once
from tests.bench.sockets import Endpoint, Socket, closed_loop, opened
from tests.bench.table import Row

PLAYING, MOVES, PAUSE_SECONDS = 50, 100, 0.1
ATTACKING = 16
PASSWORD = secrets.token_urlsafe(16)


class Attack:
    """Connections that try wrong passwords for an account until `end` is called."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._try_passwords) for _ in range(ATTACKING)]
        self.answers: Counter[int] = Counter()

    def begin(self) -> None:
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _try_passwords(self) -> None:
        while not self._stop.is_set():
            self.answers[post(self._port, "/api/sign-in/", "alice", secrets.token_urlsafe(8))] += 1


def rows() -> Iterator[Row]:
    with game_server("uvicorn") as (_, port, _):
        assert post(port, "/api/register/", "alice", PASSWORD) == 201
        attack = Attack(port)
        alone, meanwhile, seconds = asyncio.run(_waits(port, attack))
    for what, waits in (("nothing else happens", alone), (f"{ATTACKING} connections try passwords", meanwhile)):
        for share in (50, 99):
            wait = sorted(waits)[len(waits) * share // 100] * 1e3
            yield Row(f"passwords: moves of {PLAYING} while {what}: p{share}", wait, "ms")
    yield Row("passwords: tried", attack.answers[401] / seconds, "/s")
    yield Row("passwords: turned away, others wait already", attack.answers[429] / seconds, "/s")


def post(port: int, path: str, handle: str, password: str) -> int:
    """Send a handle and a password, and return the status of the answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        body = json.dumps({"handle": handle, "password": password})
        connection.request("POST", path, body, {"Content-Type": "application/json"})
        return connection.getresponse().status
    finally:
        connection.close()


async def _waits(port: int, attack: Attack) -> tuple[list[float], list[float], float]:
    """Return how long moves took in seconds, before and during the attack, and how long that was."""
    tokens = await some_at_once(lambda made: made, [asyncio.to_thread(guest, port) for _ in range(PLAYING)])
    sockets = await opened([Endpoint(port, DAY, token) for token in tokens])
    alone = await _moves([(socket, await socket.text()) for socket in sockets])
    attack.begin()
    begun = asyncio.get_running_loop().time()
    meanwhile = await _moves([(socket, last) for socket, (_, last) in zip(sockets, alone, strict=True)])
    seconds = asyncio.get_running_loop().time() - begun
    await asyncio.to_thread(attack.end)
    for socket in sockets:
        socket.hang_up()
    return _taken(alone), _taken(meanwhile), seconds


async def _moves(playing: list[tuple[Socket, bytes]]) -> list[tuple[list[float], bytes]]:
    loops = (closed_loop(socket, draw, last, MOVES, pause=PAUSE_SECONDS) for socket, last in playing)
    return await asyncio.gather(*loops)


def _taken(moves: list[tuple[list[float], bytes]]) -> list[float]:
    return list(chain.from_iterable(taken for taken, _ in moves))
