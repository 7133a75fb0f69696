"""Group commit: one thread per process that writes whatever waits in one transaction."""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from itertools import islice
from queue import Empty, SimpleQueue
from select import POLLIN, poll
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, DatabaseError, IntegrityError, connection, connections, transaction

from games.errors import Conflict
from games.journal import metrics
from games.journal.statements import write_changes
from games.session import Change

logger = logging.getLogger(__name__)

Outcomes = Sequence[Exception | None]
"""What became of each change: None for a commit, `Conflict`, or a `DatabaseError`."""


class _Waiting(NamedTuple):
    """Changes, and who is told in the writer's thread what became of them."""

    changes: Sequence[Change]
    tell: Callable[[Outcomes], None]


_Queue = SimpleQueue[_Waiting | None]
STOP = None


class Writer:
    """Makes changes durable in the order in which they come. Its thread starts with the first one."""

    def __init__(self) -> None:
        self._queue: _Queue = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        atexit.register(self.stop)

    def put(self, changes: Sequence[Change], tell: Callable[[Outcomes], None]) -> None:
        """Have changes written, together with all others that wait."""
        with self._lock:
            if self._thread is None:
                self._queue = SimpleQueue()
                self._thread = threading.Thread(target=_run, args=[self._queue], name="journal", daemon=True)
                self._thread.start()
            self._queue.put(_Waiting(changes, tell))

    def write(self, change: Change) -> None:
        """Wait until a change is durable. Raises `Conflict` or `DatabaseError`."""
        future: Future[Exception | None] = Future()
        self.put([change], lambda outcomes: future.set_result(outcomes[0]))
        if error := future.result():
            raise error

    def stop(self) -> None:
        """Write what waits and end the thread."""
        with self._lock:
            thread, self._thread = self._thread, None
            self._queue.put(STOP)
        if thread is not None:
            thread.join()


def _run(queue: _Queue) -> None:
    _open_own_connection()
    is_stopping = False
    while not is_stopping:
        waiting, is_stopping = _next(queue)
        if waiting:
            _write(waiting)
    connection.close()


def _next(queue: _Queue) -> tuple[list[_Waiting], bool]:
    """Wait for changes; return all that are there, and whether to stop after them."""
    waiting: list[_Waiting] = []
    more = queue.get()
    try:
        while more is not STOP:
            waiting.append(more)
            more = queue.get_nowait()
    except Empty:
        return waiting, False
    return waiting, True


def _open_own_connection() -> None:
    """Give this thread a connection outside the pool: it is always in use, and a pool would hide for seconds that the
    database is gone."""
    own = connections.create_connection(DEFAULT_DB_ALIAS)
    own.settings_dict = deepcopy(own.settings_dict)
    own.settings_dict["OPTIONS"].pop("pool", None)
    connections[DEFAULT_DB_ALIAS] = own


def _write(waiting: Sequence[_Waiting]) -> None:
    changes = [change for changes, _ in waiting for change in changes]
    outcomes: Outcomes
    metrics.batch.observe(len(changes))
    try:
        if _server_has_hung_up():
            connection.close()
        with metrics.seconds.time():
            outcomes = _commit(changes)
    except Exception as error:  # a thread that ended would leave everyone waiting
        metrics.failures.inc()
        is_expected = isinstance(error, DatabaseError)
        logger.warning("the journal could not write %d changes: %s", len(changes), error, exc_info=not is_expected)
        connection.close()
        outcomes = [error] * len(changes)
    remaining = iter(outcomes)
    for own_changes, tell in waiting:
        tell(list(islice(remaining, len(own_changes))))


def _server_has_hung_up() -> bool:
    """Return True if the connection was ended since the last write: unsolicited data means that the server closed it.

    Writing all the same would fail although the server may be back.
    """
    if connection.vendor != "postgresql" or connection.connection is None or connection.connection.closed:
        return False
    unread = poll()
    unread.register(connection.connection, POLLIN)
    return bool(unread.poll(0))


def _commit(changes: Sequence[Change]) -> Outcomes:
    """Write all changes at once; if that cannot be, all that can, and return what became of each."""
    try:
        with _transaction_for(changes):
            write_changes(connection, changes)
    except IntegrityError:
        with transaction.atomic():
            return [_commit_one(change) for change in changes]
    return [None] * len(changes)


def _transaction_for(changes: Sequence[Change]) -> AbstractContextManager[Any]:
    is_one_statement = all(change.summary is None for change in changes)
    return nullcontext() if is_one_statement else transaction.atomic()


def _commit_one(change: Change) -> Exception | None:
    try:
        with transaction.atomic():
            write_changes(connection, [change])
    except IntegrityError as error:
        metrics.conflicts.inc()
        conflict = Conflict(f"game {change.game} was changed by someone else meanwhile")
        conflict.__cause__ = error
        return conflict
    return None
