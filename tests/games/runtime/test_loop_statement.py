"""A statement that the event loop sends itself: refused, interrupted, slow, too large for the socket; never lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from time import sleep

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError, connection

from games.runtime import loop_statement
from games.runtime.loop_statement import LoopStatement, Outcome
from pyramid_server.postgresql import base
from tests.waiting import until

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers"),
    pytest.mark.django_db(transaction=True),
]


def ask(sql: str) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall()) if cursor.description else []


@pytest.fixture
def letters() -> Iterator[None]:
    ask("CREATE TABLE letters (text text PRIMARY KEY)")
    yield
    ask("DROP TABLE letters")


@pytest.fixture
async def post(letters: None) -> LoopStatement:
    """Return a statement that posts a letter, and that is ready."""
    statement = LoopStatement("INSERT INTO letters VALUES ($1)")
    await opened(statement)
    return statement


async def opened(statement: LoopStatement) -> None:
    def is_ready() -> bool:
        statement.open()  # which does nothing as long as a former connection is not cleared away
        return statement.is_ready

    await until(is_ready)


def sent(post: LoopStatement, text: str) -> asyncio.Future[Outcome]:
    answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    post.send(text.encode(), answer.set_result)
    return answer


async def arrived() -> list[str]:
    return [str(text) for (text,) in await sync_to_async(ask)("SELECT text FROM letters ORDER BY text")]


async def hang_up() -> None:
    """Have the server end the connection of the statement."""
    await sync_to_async(ask)(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE query LIKE 'INSERT INTO letters%' AND datname = current_database()"
    )


async def test_letters_arrive_one_after_the_other_and_one_that_is_refused_leaves_nothing(post: LoopStatement) -> None:
    assert [await sent(post, text) for text in ("a", "b", "a", "c")] == ["done", "done", "refused", "done"]
    assert await arrived() == ["a", "b", "c"]


async def test_while_one_waits_for_its_answer_no_other_may_be_sent(post: LoopStatement) -> None:
    answer = sent(post, "a")
    assert (post.is_busy, post.is_ready) == (True, False)
    await answer
    assert (post.is_busy, post.is_ready) == (False, True)


async def test_a_connection_that_ends_between_two_letters_is_noticed_and_can_be_opened_again(
    post: LoopStatement,
) -> None:
    await sent(post, "a")
    await hang_up()
    await until(lambda: not post.is_ready)
    await opened(post)
    assert await sent(post, "b") == "done"
    assert await arrived() == ["a", "b"]


@asynccontextmanager
async def locked() -> AsyncIterator[None]:
    """Have every letter wait as long as the block runs."""

    def lock() -> None:
        connection.set_autocommit(False)
        ask("LOCK TABLE letters")

    def unlock() -> None:
        connection.rollback()
        connection.set_autocommit(True)

    await sync_to_async(lock)()
    try:
        yield
    finally:
        await sync_to_async(unlock)()


@pytest.fixture(params=[False, True], ids=["on the loop", "in a thread"])
def is_slow(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Have the loop, or after a moment a thread, wait for answers."""
    monkeypatch.setattr(loop_statement, "SLOW_SECONDS", 0.0 if request.param else 1000.0)
    return bool(request.param)


async def test_what_does_not_fit_into_the_socket_at_once_arrives_whole(is_slow: bool, post: LoopStatement) -> None:
    large = "x" * 30_000_000
    await sync_to_async(ask)("ALTER TABLE letters DROP CONSTRAINT letters_pkey")  # no index has so long an entry
    assert await sent(post, large) == "done"
    assert [len(text) for text in await arrived()] == [len(large)]
    assert await sent(post, "a") == "done"


async def test_a_letter_that_waits_arrives_and_so_do_those_after_it(is_slow: bool, post: LoopStatement) -> None:
    async with locked():
        answer = sent(post, "a")
        await asyncio.sleep(0.05)
        assert not answer.done()
    assert [await answer, await sent(post, "b"), await sent(post, "b")] == ["done", "done", "refused"]
    assert await arrived() == ["a", "b"]


async def test_nobody_knows_what_became_of_a_letter_whose_connection_ends_while_it_waits(
    is_slow: bool, post: LoopStatement
) -> None:
    async with locked():
        answer = sent(post, "a")
        await asyncio.sleep(0.05)
        await hang_up()
        assert isinstance(await answer, OperationalError)
        assert not post.is_ready
    await opened(post)
    assert await sent(post, "b") == "done"
    assert await arrived() == ["b"]


async def test_a_letter_that_is_not_answered_in_time_is_given_up(
    post: LoopStatement, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop_statement, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(base, "_process_seconds", 0.2)
    async with locked():
        assert isinstance(await sent(post, "a"), OperationalError)
    monkeypatch.undo()
    await opened(post)
    assert await sent(post, "b") == "done"


async def test_where_more_than_one_letter_is_refused_the_connection_is_given_up(post: LoopStatement) -> None:
    await sync_to_async(ask)("ALTER TABLE letters RENAME TO elsewhere")
    assert (await sent(post, "a"), post.is_ready) == ("refused", False)
    await sync_to_async(ask)("ALTER TABLE elsewhere RENAME TO letters")
    await opened(post)
    assert (await sent(post, "a"), await sent(post, "a"), post.is_ready) == ("done", "refused", True)


async def test_what_cannot_be_prepared_is_never_ready() -> None:
    statement = LoopStatement("INSERT INTO nowhere VALUES ($1)")
    statement.open()
    await until(lambda: statement._life is None)
    assert not statement.is_ready


def test_a_loop_that_ends_leaves_no_connection_behind(letters: None) -> None:
    async def begin() -> None:
        LoopStatement("INSERT INTO letters VALUES ($1)").open()
        await asyncio.sleep(0)

    async def send() -> None:
        await opened(post := LoopStatement("INSERT INTO letters VALUES ($1)"))
        post.send(b"a", lambda _: None)

    asyncio.run(begin())
    asyncio.run(send())
    while ask("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'INSERT INTO letters%' AND pid <> pg_backend_pid()"):
        sleep(0.01)


async def test_a_fault_of_ours_leaves_nobody_waiting(post: LoopStatement, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(connected: object) -> None:
        raise TypeError("a fault")

    monkeypatch.setattr(loop_statement, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(post, "_wait_in_thread", wait)
    async with locked():
        assert isinstance(await sent(post, "a"), OperationalError)
    monkeypatch.undo()
    await opened(post)
    assert await sent(post, "b") == "done"
