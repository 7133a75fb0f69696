from __future__ import annotations

import asyncio
from threading import Event

import pytest
from django.db import DatabaseError, OperationalError, connection

from games.runtime.threads import run_in_db_thread

pytestmark = pytest.mark.django_db(transaction=True)


async def test_whoever_waits_while_the_database_cannot_be_reached_is_told_so_without_another_attempt() -> None:
    attempts, all_wait = [], Event()

    def reach(name: str) -> None:
        attempts.append(name)
        connection.close()
        all_wait.wait()
        raise OperationalError("no connection")

    asking = [asyncio.create_task(run_in_db_thread(reach, name)) for name in ("alice", "bob", "carol")]
    await asyncio.sleep(0)  # all of them have asked
    all_wait.set()
    answers = await asyncio.gather(*asking, return_exceptions=True)
    assert [type(answer) for answer in answers] == [OperationalError] * 3
    assert attempts == ["alice"]
    assert await run_in_db_thread(lambda: "back") == "back"


async def test_a_query_that_fails_for_another_reason_keeps_nobody_from_asking() -> None:
    all_wait = Event()

    def fail() -> None:
        all_wait.wait()
        with connection.cursor() as cursor:
            cursor.execute("SELECT nothing")

    asking = [asyncio.create_task(run_in_db_thread(task)) for task in (fail, lambda: None)]
    await asyncio.sleep(0)
    all_wait.set()
    error, answer = await asyncio.gather(*asking, return_exceptions=True)
    assert isinstance(error, DatabaseError)
    assert answer is None
