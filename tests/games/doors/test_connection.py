"""A connection whose client reads slowly, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from autobahn.exception import Disconnected

from games.doors.sockets import connection as module
from games.doors.sockets.close_codes import CloseCode, Closed
from games.doors.sockets.connection import Connection
from games.runtime.clock import Clock

WHOLE = "the whole state"


class Wire:
    """The other end: keeps what it is sent, and reads only while `reads` is set."""

    def __init__(self) -> None:
        self.sent: list[str | int] = []
        self.reads = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(self, event: dict[str, Any]) -> None:
        self.sent.append(event.get("text") or event["code"])
        await self.reads.wait()


async def a_few_turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.fixture(autouse=True)
def _small_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_UNSENT", 3)


def whole() -> str:
    return WHOLE


@pytest.mark.parametrize("posted", [5, 6])
async def test_whoever_reads_too_slowly_gets_the_state_in_place_of_what_was_missed(posted: int) -> None:
    wire = Wire()
    connection = Connection({}, wire.receive, wire.send)
    for number in range(posted):
        connection.post(f"move {number}", whole)
        await a_few_turns()
    wire.reads.set()
    await a_few_turns()
    assert wire.sent == ["move 0", WHOLE]
    connection.post("move 6", whole)
    await a_few_turns()
    assert wire.sent[-1] == "move 6"
    connection.forget()


async def test_an_answer_comes_after_everything_that_was_posted_before_it() -> None:
    wire = Wire()
    connection = Connection({}, wire.receive, wire.send)
    connection.post("move", whole)
    await a_few_turns()
    answering = asyncio.create_task(connection.tell("answer"))
    await a_few_turns()
    assert not answering.done()
    wire.reads.set()
    await answering
    assert wire.sent == ["move", "answer"]
    connection.forget()


async def test_what_is_posted_while_an_answer_is_being_sent_follows_it() -> None:
    wire = Wire()
    connection = Connection({}, wire.receive, wire.send)
    answering = asyncio.create_task(connection.tell("answer"))
    await a_few_turns()
    connection.post("move", whole)
    wire.reads.set()
    await answering
    assert wire.sent == ["answer", "move"]
    connection.forget()


async def test_a_superseded_client_that_does_not_read_is_closed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLOSING_SECONDS", 0.01)
    wire = Wire()

    async def talk() -> None:
        connection = Connection({}, wire.receive, wire.send)
        asyncio.get_running_loop().call_soon(connection.end, CloseCode.SUPERSEDED, "superseded")
        try:
            await connection.tell("an answer that nobody reads")
        except asyncio.CancelledError:
            assert connection.ending is CloseCode.SUPERSEDED
            connection.task.uncancel()  # as `serve` does; Python 3.11.2 times nothing out in a task being cancelled
            await connection.close(connection.ending)
        finally:
            connection.forget()

    await asyncio.wait_for(talk(), 5)
    assert wire.sent == ["an answer that nobody reads", "superseded"]


async def test_a_client_that_does_not_read_what_is_posted_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "UNREAD_SECONDS", 0)
    wire = Wire()

    async def listen() -> None:
        connection = Connection({}, wire.receive, wire.send)
        connection.post("move", whole)
        try:
            await connection.next_frame()
        except (asyncio.CancelledError, Closed):
            assert connection.ending is CloseCode.NOT_READING
        finally:
            connection.forget()

    await asyncio.wait_for(listen(), 5)


def test_nothing_is_sent_to_a_connection_that_is_gone() -> None:
    async def leave() -> list[str | int]:
        wire = Wire()
        connection = Connection({}, wire.receive, wire.send)
        for move in ("move", "move that waits"):
            connection.post(move, whole)
            await a_few_turns()
        connection.forget()
        wire.reads.set()
        connection.post("move after it", whole)
        await a_few_turns()
        return wire.sent

    assert asyncio.run(leave()) == ["move"]


@pytest.mark.parametrize("error", [Disconnected, BrokenPipeError])
async def test_a_client_that_has_closed_before_its_answer_ends_the_connection_quietly(error: type[Exception]) -> None:
    async def send(event: dict[str, Any]) -> None:
        raise error("the client has closed")

    connection = Connection({}, Wire().receive, send)
    connection.post("move", whole)
    await a_few_turns()
    with pytest.raises(Closed) as closed:
        await connection.tell("answer")
    assert closed.value.code is None
    await connection.close(CloseCode.SUPERSEDED)
    connection.forget()


async def test_an_empty_text_is_a_frame_and_a_binary_one_is_none() -> None:
    events: Iterator[dict[str, Any]] = iter([{"text": ""}, {"bytes": b"\xff"}])

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.receive", **next(events)}

    connection = Connection({}, receive, Wire().send)
    assert [await connection.next_frame(), await connection.next_frame()] == ["", None]
    connection.forget()


async def test_what_arrives_while_the_clock_is_wrong_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    async def receive() -> dict[str, Any]:
        monkeypatch.setattr(Clock, "is_right", False)
        return {"type": "websocket.receive", "text": "a move"}

    connection = Connection({}, receive, Wire().send)
    with pytest.raises(Closed) as closed:
        await connection.next_frame()
    assert closed.value.code is CloseCode.TRY_AGAIN_LATER
    connection.forget()


async def test_what_is_being_answered_is_answered_before_the_connection_ends_as_first_asked() -> None:
    wire = Wire()
    wire.reads.set()

    async def talk() -> CloseCode | None:
        connection = Connection({}, wire.receive, wire.send)
        connection.end(CloseCode.SUPERSEDED)
        connection.end(CloseCode.IDLE)
        await connection.tell("answer")
        with pytest.raises(Closed) as closed:
            await connection.next_frame()
        connection.forget()
        return closed.value.code

    assert await asyncio.create_task(talk()) is CloseCode.SUPERSEDED
    assert wire.sent == ["answer"]


async def listen(plays: bool | None, ended: list[tuple[CloseCode | None, bool]]) -> None:
    wire = Wire()
    connection = Connection({}, wire.receive, wire.send)
    connection.plays = plays or connection.plays
    try:
        await connection.next_frame()
    finally:
        ended.append((connection.ending, connection.plays))
        connection.forget()


async def test_a_client_that_is_silent_for_long_is_closed_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[tuple[CloseCode | None, bool]] = []
    quick = asyncio.create_task(listen(None, ended))
    await a_few_turns()
    assert ended == []
    monkeypatch.setattr(module, "IDLE_SECONDS", 0.01)
    await asyncio.wait({asyncio.create_task(listen(None, ended))}, timeout=180)
    assert ended == [(CloseCode.IDLE, False)]
    quick.cancel()


async def end_all_from_thread(code: CloseCode) -> None:
    await asyncio.to_thread(module.end_all_from_thread, code)


@pytest.mark.parametrize("end_all", [module.end_all, end_all_from_thread])
async def test_a_server_that_stops_closes_those_first_who_play(
    end_all: Callable[[CloseCode], Awaitable[None]],
) -> None:
    ended: list[tuple[CloseCode | None, bool]] = []
    tasks = [asyncio.create_task(listen(plays, ended)) for plays in (None, True) * 4]
    await a_few_turns()
    await end_all(CloseCode.RESTARTING)
    await asyncio.wait(tasks, timeout=180)
    assert ended == 4 * [(CloseCode.RESTARTING, True)] + 4 * [(CloseCode.RESTARTING, False)]
