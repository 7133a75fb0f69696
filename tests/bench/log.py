"""The transparency log with a million leaves: adding, proofs, its files for auditors, and one who recomputes all of it.

`LEAVES=10000 python -m tests.bench log` has fewer. With `python -m tests.with_servers` before it on PostgreSQL.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from time import process_time

from tests.bench.doors import cost
from tests.bench.http import Asked, ask_all
from tests.bench.live import database, game_server
from tests.bench.table import Row
from tests.processes import PROJECT, cpu_seconds
from tests.processes import run as run_command

sys.path.insert(0, str(PROJECT / "docs/examples"))
from verify_daily import LogHead, Server, leaves_of, wrong_in_log

LEAVES = int(os.environ.get("LEAVES", "1000000"))
WIDTH, CONNECTIONS, AGAIN = 256, 8, 2_000
FILE = "/static/games/icon.svg"


def rows() -> Iterator[Row]:
    with game_server("uvicorn") as (pid, port, environment):
        settings = environment | {"DJANGO_SETTINGS_MODULE": "pyramid_server.settings"}
        seeded = run_command([sys.executable, "-m", "tests.bench.log_seed", str(LEAVES)], settings, timeout=3600)
        assert seeded.returncode == 0, seeded.stderr
        for line in seeded.stdout.splitlines():
            what, figure, unit = json.loads(line)
            yield _row(what, figure, unit)
        for kind, folder in (("a tile of hashes", "0"), ("the leaves below a tile", "entries")):
            addresses = [f"/tlog/tile/{folder}/{_in_groups(number)}" for number in range(min(200, LEAVES // WIDTH))]
            yield _cost(f"{kind}, the first time", pid, port, addresses)
            yield _cost(f"{kind}, kept", pid, port, addresses * (AGAIN // len(addresses)))
        asyncio.run(ask_all(port, [Asked("GET /tlog/checkpoint")], 1))
        yield _cost("the signed head, kept", pid, port, ["/tlog/checkpoint"] * AGAIN)
        yield _cost("a static file", pid, port, [FILE] * AGAIN)
        yield from _audited(pid, port)


def _audited(pid: int, port: int) -> Iterator[Row]:
    """Have the one-file verifier, which has none of the server's code, read the log and recompute its head."""
    before, begun = cpu_seconds(pid), process_time()
    server = Server(f"http://127.0.0.1:{port}")
    head = LogHead.from_text(server.text("/tlog/checkpoint"))
    leaves = leaves_of(server, head)
    read = process_time()
    assert len(leaves) == LEAVES
    assert list(wrong_in_log(leaves, head, [])) == []
    yield _row("an auditor reads it all: server CPU", cpu_seconds(pid) - before, "s")
    yield _row("the same: CPU of the auditor", read - begun, "s")
    yield _row("the head that it recomputes agrees: CPU", process_time() - read, "s")


def _cost(what: str, pid: int, port: int, addresses: list[str]) -> Row:
    row = cost(what, pid, port, [Asked(f"GET {address}") for address in addresses], CONNECTIONS)
    return _row(f"{what}: server CPU", row.figure, row.unit)


def _row(what: str, figure: float, unit: str) -> Row:
    return Row(f"log: {database()}: {what}", figure, unit)


def _in_groups(number: int) -> str:
    return f"x{number // 1000:03}/{number % 1000:03}" if number >= 1000 else f"{number:03}"
