"""An owner divides the tables of PostgreSQL by month while people play."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from random import Random

import pytest
from django.conf import settings

from tests.chaos.crowd import Crowd
from tests.journeys.conftest import Server, uvicorn_workers
from tests.processes import MANAGE, UNLIMITED, own_database, run

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(not settings.REDIS_URL, reason="runs under tests.with_servers"),
]

PLAYERS = 2


async def test_play_goes_on_while_the_tables_are_divided(tmp_path: Path) -> None:
    with own_database(tmp_path) as environment:
        run([*MANAGE, "make_dailies", "--days", "2"], environment).check_returncode()
        server, crowd = Server(environment | UNLIMITED, uvicorn_workers), Crowd(PLAYERS, Random(1))
        await asyncio.to_thread(server.start)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(crowd.play(server.url))
                await crowd.more_moves(10 * PLAYERS)
                divided = await asyncio.to_thread(run, [*MANAGE, "partition_tables"], environment, 200)
                await crowd.more_moves(20 * PLAYERS)
                crowd.go_home()
            await asyncio.to_thread(server.stop, signal.SIGTERM)
        finally:
            await asyncio.to_thread(server.close)
        assert divided.returncode == 0, divided.stderr
        crowd.check(environment)
        run([*MANAGE, "verify_scores"], environment).check_returncode()
