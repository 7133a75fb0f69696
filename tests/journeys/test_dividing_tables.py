"""An owner divides the tables of PostgreSQL by month while people play."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from random import Random
from time import sleep

import psycopg
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


async def test_whoever_makes_a_month_gives_way_to_a_player_in_mid_commit(tmp_path: Path) -> None:
    with own_database(tmp_path) as environment:
        run([*MANAGE, "partition_tables"], environment, 200).check_returncode()
        connect = psycopg.AsyncConnection.connect
        async with await connect(environment["DATABASE_URL"]) as alice, await connect(alice.info.dsn) as worker:
            await alice.execute("LOCK TABLE games_game IN ROW EXCLUSIVE MODE")  # a move
            making = asyncio.create_task(worker.execute("SELECT pyramid_make_months('2035-01-01', '2035-01-01')"))
            await asyncio.to_thread(wait_until_blocked, environment)
            await alice.execute("LOCK TABLE leaderboards_entry IN ROW EXCLUSIVE MODE")  # which ends the game
            with pytest.raises(psycopg.errors.LockNotAvailable):
                await making
            await worker.rollback()
            await alice.commit()
            made = await (await worker.execute("SELECT pyramid_make_months('2035-01-01', '2035-01-01')")).fetchone()
            assert made == (2,)


def wait_until_blocked(environment: dict[str, str]) -> None:
    with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as watcher:
        while not watcher.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchone():
            sleep(0.01)
