"""The cost of requests for a server: processor time of its one process, asked by others on connections that stay open.

`python -m tests.with_servers --fsync python -m tests.bench doors` measures on PostgreSQL and Redis.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from itertools import count

from tests.bench.http import Asked, ask_all
from tests.bench.live import cpu_seconds, database, game_server
from tests.bench.table import Row

WARM_UP, ACCOUNTS, PROBES = 100, 600, 2_000
CROWDS = (8, 32)

_numbers = count(1)  # each account has a name of its own, as most people choose one


def rows() -> Iterator[Row]:
    with game_server("uvicorn") as (pid, port, _):
        asyncio.run(ask_all(port, new_guests(WARM_UP), max(CROWDS)))
        for connections in CROWDS:
            what = f"an account, {connections} connections"
            yield cost(what, pid, port, new_guests(ACCOUNTS), connections, 201)
        yield cost("a bare request", pid, port, [Asked("GET /health/live")] * PROBES, CROWDS[0])


def cost(what: str, pid: int, port: int, asked: list[Asked], connections: int, status: int = 200) -> Row:
    """Ask, and return the server's processor time for each request."""
    before = cpu_seconds(pid)
    answers = asyncio.run(ask_all(port, asked, connections))
    seconds = cpu_seconds(pid) - before
    assert {answer.status for answer in answers} == {status}, answers[-1]
    return Row(f"doors: {database()}: {what}: server CPU", seconds / len(asked) * 1e3, "ms")


def new_guests(many: int) -> list[Asked]:
    """Return requests for accounts. They are bots: people who were so fast would get no rank."""
    names = (f"Player {next(_numbers)}" for _ in range(many))
    return [
        Asked("POST /api/guests/", body=json.dumps({"display_name": name, "is_bot": True}).encode()) for name in names
    ]
