"""A statement that an event loop sends to PostgreSQL and whose answer it reads itself, on a connection of its own.

To pass rows to a thread, to wake it, and to be woken by it costs a process more than the statement does.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from typing import Any, Literal

import psycopg
from django.db import Error, OperationalError, connection
from psycopg import generators
from psycopg.abc import PQGen
from psycopg.pq import DiagnosticField, ExecStatus
from psycopg.pq.abc import PGresult
from psycopg.waiting import READY_NONE, READY_R, READY_W, WAIT_RW, Ready, Wait

Outcome = Literal["done", "refused"] | OperationalError
"""Refused: nothing was changed. An error: nobody knows whether anything was."""

# After so long without an answer a thread waits for it instead, with all the deadlines of a connection.
SLOW_SECONDS = 1.0
NAME = b"statement"
INTEGRITY = b"23"  # so begin the codes of violated constraints

_threads = ThreadPoolExecutor(thread_name_prefix="loop-statement")


class LoopStatement:
    """A statement with one parameter, `$1`, that is sent again and again, one at a time. Only PostgreSQL has any."""

    def __init__(self, text: str) -> None:
        self._text = text.encode()
        self._loop = asyncio.get_running_loop()
        self._life: asyncio.Task[None] | None = None
        self._connection: Any = None
        self._deliver: Callable[[Outcome], None] | None = None
        self._answer: PQGen[list[PGresult]]
        self._wanted: Wait  # by the answer, to go on
        self._slow: asyncio.TimerHandle
        self._trouble = asyncio.Event()
        self._socket: int

    @property
    def is_busy(self) -> bool:
        return self._deliver is not None

    @property
    def is_ready(self) -> bool:
        """True if it can be sent."""
        return self._connection is not None and not self.is_busy

    def open(self) -> None:
        """Connect in the background, for as long as the loop lives, unless that is done."""
        if self._life is None and connection.vendor == "postgresql":
            self._life = self._loop.create_task(self._live())

    def send(self, parameter: bytes, deliver: Callable[[Outcome], None]) -> None:
        """Send the statement, which must be ready, and call a function with the outcome."""
        self._deliver = deliver
        self._slow = self._loop.call_later(SLOW_SECONDS, self._trouble.set)
        try:
            self._connection.pgconn.send_query_prepared(NAME, [parameter])
        except psycopg.Error as error:
            self._lose(error)
        else:
            self._answer = generators.execute(self._connection.pgconn)
            self._advance(READY_NONE)

    async def _live(self) -> None:
        # If there is no connection, what would be sent goes another way, which tells of the reason.
        with suppress(Error, psycopg.Error, OSError):
            try:
                with closing(await self._connected()) as self._connection:
                    await self._serve(self._connection)
            except Exception as error:
                if self.is_busy:  # whatever it was: somebody waits for the outcome
                    self._finish(OperationalError(str(error)))
                raise
            finally:
                self._life = self._connection = None

    async def _connected(self) -> Any:
        connecting = _threads.submit(_connect, self._text)
        try:
            return await asyncio.wrap_future(connecting)
        except asyncio.CancelledError:
            connecting.add_done_callback(_close)
            raise

    async def _serve(self, connected: Any) -> None:
        """Read answers as they come until the connection is lost; wait in a thread for one that is slow."""
        # A number of our own: libpq closes a lost connection at once, and another socket would get its number.
        self._socket = os.dup(connected.pgconn.socket)
        try:
            while self._connection is not None:
                self._loop.add_reader(self._socket, self._read)
                await self._trouble.wait()
                self._trouble.clear()
                self._stop_watching()
                if self._connection is not None and self.is_busy:
                    await self._wait_in_thread(connected)
        finally:
            self._stop_watching()
            os.close(self._socket)

    async def _wait_in_thread(self, connected: Any) -> None:
        try:
            results = await asyncio.wrap_future(_threads.submit(connected.wait, self._rest_of_answer()))
        except psycopg.Error as error:
            self._lose(error)
        else:
            self._end(results)

    def _rest_of_answer(self) -> PQGen[list[PGresult]]:
        """Go on where the loop has stopped, for a thread, which first asks what to wait for."""
        wanted = self._wanted
        try:
            while True:
                wanted = self._answer.send((yield wanted))
        except StopIteration as end:
            results: list[PGresult] = end.value
            return results

    def _stop_watching(self) -> None:
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)

    def _read(self) -> None:
        if self.is_busy:
            self._advance(READY_R)
        else:  # nobody has asked for it: most likely the server hangs up
            self._hang_up()

    def _advance(self, ready: Ready) -> None:
        try:
            self._wanted = self._answer.send(ready or None)  # type: ignore[arg-type]
        except StopIteration as end:
            self._end(end.value)
        except psycopg.Error as error:
            self._lose(error)
        else:
            self._write_when_possible(self._wanted == WAIT_RW)

    def _write_when_possible(self, has_more: bool) -> None:
        if has_more:
            self._loop.add_writer(self._socket, self._advance, READY_W)
        else:
            self._loop.remove_writer(self._socket)

    def _end(self, results: Sequence[PGresult]) -> None:
        self._connection.note_answer()
        failed = next((one for one in results if one.status != ExecStatus.COMMAND_OK), None)
        if failed is None:
            self._finish("done")
        elif failed.error_field(DiagnosticField.SEVERITY_NONLOCALIZED) == b"FATAL":
            self._lose(psycopg.OperationalError("the database ends the connection"))
        else:
            self._refuse(failed.error_field(DiagnosticField.SQLSTATE) or b"")

    def _refuse(self, state: bytes) -> None:
        # A server that is no longer the primary refuses every statement, but keeps the connection.
        if not state.startswith(INTEGRITY):
            self._hang_up()
        self._finish("refused")

    def _lose(self, error: psycopg.Error) -> None:
        self._hang_up()
        self._finish(OperationalError(str(error)))

    def _hang_up(self) -> None:
        self._connection = None
        self._trouble.set()

    def _finish(self, outcome: Outcome) -> None:
        self._slow.cancel()
        deliver, self._deliver = self._deliver, None
        if deliver is not None:
            deliver(outcome)


def _connect(statement: bytes) -> Any:
    """Return a connection like those of threads, with the statement prepared."""
    own = connection.copy()
    own.connect()
    connected = own.connection
    connected.pgconn.send_prepare(NAME, statement)
    [prepared] = connected.wait(generators.execute(connected.pgconn))
    if prepared.status != ExecStatus.COMMAND_OK:
        connected.close()
        raise OperationalError("the statement cannot be prepared")
    return connected


def _close(connecting: Future[Any]) -> None:
    if not connecting.cancelled() and not connecting.exception():
        connecting.result().close()
