"""Django's PostgreSQL, with deadlines of our own: a server that is frozen or out of reach ends no wait by itself.

`statement_timeout` is kept by the server, and TCP timeouts only notice a dead machine.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Self

import psycopg
from django.db.backends.postgresql import base
from psycopg.abc import PQGen, PQGenConn
from psycopg.errors import _WaitTimeout

# Together under two seconds, the longest that a request may wait for a database that is down.
CHECK_SECONDS = 0.6
CONNECT_SECONDS = 1.1
# A server that answers others meanwhile is slow, not gone: waiting costs less than failing and connecting again.
SLOW_SECONDS = 5.0
# After a failed attempt, a thread does not connect again for this long: a request waits once, not once per query.
PAUSE_SECONDS = 0.5


class _Deadlines(threading.local):
    """The time limits of a thread: of each statement, and of the current attempt to connect."""

    statement_seconds: float | None = None
    connecting_since: float = 0.0


_deadlines = _Deadlines()
_process_seconds: float | None = None
_answered_at = 0.0


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


def answered_since(moment: float) -> bool:
    """Return True if the server has answered anyone in this process since a time of the monotonic clock."""
    return _answered_at > moment


class Connection(psycopg.Connection[Any]):
    """A connection that gives up, and is closed, when the server does not answer in time."""

    @classmethod
    def connect(cls, *args: Any, **kwargs: Any) -> Self:
        """Connect within `CONNECT_SECONDS`, however many addresses the server has; later if it answers others."""
        _deadlines.connecting_since = monotonic()
        return super().connect(*args, **kwargs)

    @classmethod
    def _connect_gen(cls, conninfo: str = "") -> PQGenConn[Self]:
        attempt = super()._connect_gen(conninfo)
        try:
            wanted = next(attempt)
            while True:
                ready = yield wanted
                if _is_too_late(_deadlines.connecting_since):
                    attempt.close()
                    raise psycopg.errors.ConnectionTimeout("connection timeout expired")
                wanted = attempt.send(ready)
        except StopIteration as end:
            connection: Self = end.value
            return connection

    def wait(self, gen: PQGen[Any], interval: float = 0.1, timeout: float | None = None) -> Any:
        seconds = timeout or _deadlines.statement_seconds or _process_seconds
        global _answered_at  # noqa: PLW0603  of the process
        try:
            answer = super().wait(gen, interval, seconds)
            _answered_at = monotonic()
            return answer
        except _WaitTimeout:
            self.pgconn.finish()  # the answer may come yet, and nobody would know to which question
            raise psycopg.OperationalError(f"the database did not answer within {seconds} seconds") from None


def _is_too_late(since: float) -> bool:
    waited = monotonic() - since
    return waited >= (SLOW_SECONDS if answered_since(since) else CONNECT_SECONDS)


class DatabaseWrapper(base.DatabaseWrapper):
    """Connects, and checks permanent connections, within the deadlines."""

    _connect_again_at = 0.0

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        if monotonic() < self._connect_again_at:
            raise psycopg.OperationalError("the database could not be reached a moment ago")
        try:
            self.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
            return Connection.connect(**conn_params)
        except psycopg.errors.ConnectionTimeout:
            self._connect_again_at = monotonic() + PAUSE_SECONDS
            raise

    def is_usable(self) -> bool:
        """Return True if the server answers on this connection; Django asks at the first query of a request."""
        with answered_within(CHECK_SECONDS):
            return super().is_usable()
