"""Django's PostgreSQL, with deadlines of our own: a server that is frozen or out of reach ends no wait by itself.

`statement_timeout` is kept by the server, and TCP timeouts only notice a dead machine. A wait ends by itself only after
the server has been silent towards the whole process: until then it is slow, and waiting costs less than failing.
"""

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from select import POLLIN, poll
from time import monotonic
from typing import Any, Self, TypeVar

import psycopg
from django.db import connection
from django.db.backends.postgresql import base
from psycopg.abc import Buffer, PQGen, PQGenConn
from psycopg.errors import _WaitTimeout
from psycopg.types.datetime import TimestamptzLoader

from pyramid_server.postgresql.doubt import Doubt
from pyramid_server.postgresql.silence import silence

Wanted = TypeVar("Wanted")
Ready = TypeVar("Ready")
Answer = TypeVar("Answer")

# How long a thread asks a server that is gone: together under two seconds, the longest that a request waits for it.
CHECK_SECONDS = 0.6
CONNECT_SECONDS = 1.1
# For so long after it has answered anyone in the process, the server counts as there.
PRESENT_SECONDS = 0.1
# After a failed attempt, a thread does not connect again for this long: a request waits once, not once per query.
PAUSE_SECONDS = 0.5
# A statement that has waited for so long has the server asked, on another connection, whether it is there at all.
DOUBT_SECONDS = 3.0


class _Deadlines(threading.local):
    """The time limits of a thread: of each statement, of one to a server that is gone, and of connecting to that."""

    statement_seconds: float | None = None
    gone_seconds: float | None = None
    connecting_since: float = 0.0


_deadlines = _Deadlines()
_process_seconds: float | None = None


def limit_statements(seconds: float) -> None:
    """Limit how long a statement of this process may take; a worker's statements have no limit."""
    global _process_seconds  # noqa: PLW0603  of the process
    _process_seconds = seconds


@contextmanager
def answered_within(seconds: float) -> Iterator[None]:
    """Let no statement of this thread wait longer than that while the block runs; it then raises `OperationalError`."""
    before, _deadlines.statement_seconds = _deadlines.statement_seconds, seconds
    try:
        yield
    finally:
        _deadlines.statement_seconds = before


@contextmanager
def given_up_if_gone(seconds: float) -> Iterator[None]:
    """While the block runs, let this thread's statements wait so long, and longer unless the server is gone."""
    before, _deadlines.gone_seconds = _deadlines.gone_seconds, seconds
    try:
        yield
    finally:
        _deadlines.gone_seconds = before


def _unless_gone(
    question: Generator[Wanted, Ready, Answer], is_over: Callable[[], bool]
) -> Generator[Wanted, Ready, Answer]:
    """Pass on what a question to the server waits for; end it with `ConnectionTimeout` if it is over and nobody there.

    Data that has arrived is read first: on a busy machine the thread itself may be what is late.
    """
    with silence.asking():
        try:
            wanted = next(question)
            while True:
                ready = yield wanted
                if not ready and is_over() and silence.means_gone:
                    question.close()
                    raise psycopg.errors.ConnectionTimeout("connection timeout expired: the database is silent")
                wanted = question.send(ready)
        except StopIteration as end:
            silence.end()
            answer: Answer = end.value
            return answer


def _until_found_gone(statement: Generator[Wanted, Ready, Answer], since: float) -> Generator[Wanted, Ready, Answer]:
    """Pass on what a statement waits for; end it once others, of whom one asks for it, find that nobody is there."""
    try:
        wanted = next(statement)
        while True:
            ready = yield wanted
            if not ready and monotonic() - since >= DOUBT_SECONDS:
                doubt.ask()
                if silence.means_gone:
                    statement.close()
                    raise psycopg.errors.ConnectionTimeout("connection timeout expired: the database is gone")
            wanted = statement.send(ready)
    except StopIteration as end:
        answer: Answer = end.value
        return answer


class Connection(psycopg.Connection[Any]):
    """A connection that gives up, and is closed, when the server does not answer in time."""

    @property
    def is_quiet(self) -> bool:
        """Return True if nothing has arrived that nobody asked for, such as the end of the connection."""
        arrived = poll()
        arrived.register(self, POLLIN)
        return not arrived.poll(0)

    @staticmethod
    def note_answer() -> None:
        """Note that the server has answered, where nobody waited for that with `wait`."""
        silence.end()

    def execute_prepared(self, statement: str, parameters: Sequence[str]) -> psycopg.Cursor[Any]:
        """Execute a statement that is the same each time, which the server reads and plans once for this connection.

        Django's cursors write parameters into the text, and have nothing prepared.
        """
        self.prepare_threshold = 0
        try:
            return psycopg.Cursor(self).execute(statement, parameters)
        finally:
            self.prepare_threshold = None

    @classmethod
    def connect(cls, *args: Any, **kwargs: Any) -> Self:
        """Connect; to a server that is gone for no longer than `CONNECT_SECONDS`, however many addresses it has."""
        _deadlines.connecting_since = monotonic()
        return super().connect(*args, **kwargs)

    @classmethod
    def _connect_gen(cls, conninfo: str = "") -> PQGenConn[Self]:
        since = _deadlines.connecting_since
        return _unless_gone(super()._connect_gen(conninfo), lambda: monotonic() - since >= CONNECT_SECONDS)

    def wait(self, gen: PQGen[Any], interval: float = 0.1, timeout: float | None = None) -> Any:
        seconds = timeout or _deadlines.statement_seconds or _process_seconds
        gone_seconds, since = _deadlines.gone_seconds, monotonic()
        if gone_seconds is None:
            gen = _until_found_gone(gen, since)
        else:
            gen = _unless_gone(gen, lambda: monotonic() - since >= gone_seconds)
        try:
            answer = super().wait(gen, interval, seconds)
        except (_WaitTimeout, psycopg.errors.ConnectionTimeout):
            self.pgconn.finish()  # the answer may come yet, and nobody would know to which question
            waited = monotonic() - since
            raise psycopg.OperationalError(f"the database did not answer within {waited:.1f} seconds") from None
        except psycopg.errors.ReadOnlySqlTransaction as error:
            # It recovers, or is a standby that nobody has promoted yet: away, as far as players are concerned.
            raise psycopg.OperationalError(f"the database takes no writes: {error}") from None
        silence.end()
        return answer


class UtcLoader(TimestamptzLoader):
    """Reads times in UTC with one function of C; Django's own takes them apart in Python, a few times as long."""

    timezone = UTC  # Django asks for it

    def load(self, data: Buffer) -> datetime:
        try:
            return datetime.fromisoformat(str(data, "ascii"))
        except ValueError:  # another style of dates, to which the server may be set: an error that says so
            return super().load(data)


def _look() -> None:
    Connection.connect(**connection.get_connection_params()).close()


doubt = Doubt(_look)


class DatabaseWrapper(base.DatabaseWrapper):
    """Connects, and checks permanent connections, within the deadlines."""

    _connect_again_at = 0.0

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        if monotonic() < self._connect_again_at:
            raise psycopg.OperationalError("the database could not be reached a moment ago")
        try:
            self.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
            connected = Connection.connect(**conn_params)
        except psycopg.errors.ConnectionTimeout:
            self._connect_again_at = monotonic() + PAUSE_SECONDS
            raise
        if self.timezone == UTC:
            connected.adapters.register_loader("timestamptz", UtcLoader)
        return connected

    def is_usable(self) -> bool:
        """Return True if the server answers on this connection; Django asks at the first query of a request.

        The question costs as much as a query, so it is spared while the server answers others.
        """
        if self._is_in_use():
            return True
        with given_up_if_gone(CHECK_SECONDS):
            return super().is_usable()

    def _is_in_use(self) -> bool:
        database: Connection | None = self.connection
        if database is None or database.closed or self.errors_occurred:
            return False
        return silence.ended_since(monotonic() - PRESENT_SECONDS) and database.is_quiet
