"""Group commit: one thread per process that writes whatever waits in one transaction."""

from __future__ import annotations

import asyncio
import atexit
import logging
import threading
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, DatabaseError, IntegrityError, connection, connections, transaction

from games.errors import Conflict
from games.journal import metrics
from games.journal.statements import write_changes
from games.session import Change

logger = logging.getLogger(__name__)

MOST_TOGETHER = 500
STOP = None


class _Waiting(NamedTuple):
    """A change, and who is told what became of it: a future of a thread, or of an event loop."""

    change: Change
    future: Future[None] | asyncio.Future[None]
    loop: asyncio.AbstractEventLoop | None


class Writer:
    """Makes changes durable in the order in which they come. Its thread starts with the first one."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        atexit.register(self.stop)

    def submit(self, change: Change) -> Future[None]:
        """Return a future that ends with the commit, in `Conflict`, or in a `DatabaseError`."""
        future: Future[None] = Future()
        self._put(_Waiting(change, future, None))
        return future

    def submit_from(self, loop: asyncio.AbstractEventLoop, change: Change) -> asyncio.Future[None]:
        """Return the same as a future of the running event loop."""
        future = loop.create_future()
        self._put(_Waiting(change, future, loop))
        return future

    def stop(self) -> None:
        """Write what waits and end the thread."""
        with self._starting:
            thread, self._thread = self._thread, None
        if thread is not None:
            self._queue.put(STOP)
            thread.join()

    def _put(self, waiting: _Waiting) -> None:
        if self._thread is None:
            self._start()
        self._queue.put(waiting)

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        _open_own_connection()
        is_stopping = False
        while not is_stopping:
            waiting = [self._queue.get(), *self._more()]
            is_stopping = STOP in waiting
            if changes := [one for one in waiting if one is not STOP]:
                _write(changes)
        connection.close()

    def _more(self) -> list[_Waiting | None]:
        more: list[_Waiting | None] = []
        try:
            while len(more) < MOST_TOGETHER - 1:
                more.append(self._queue.get_nowait())
        except Empty:
            pass
        return more


def _open_own_connection() -> None:
    """Give this thread a connection outside the pool: it is always in use, and a pool would hide for seconds that the
    database is gone."""
    own = connections.create_connection(DEFAULT_DB_ALIAS)
    own.settings_dict = deepcopy(own.settings_dict)
    own.settings_dict["OPTIONS"].pop("pool", None)
    connections[DEFAULT_DB_ALIAS] = own


def _write(waiting: Sequence[_Waiting]) -> None:
    outcomes: list[Exception | None]
    metrics.batch.observe(len(waiting))
    try:
        with metrics.seconds.time():
            outcomes = _commit([one.change for one in waiting])
    except DatabaseError as error:
        metrics.failures.inc()
        logger.warning("the journal could not write %d changes: %s", len(waiting), error)
        connection.close()
        outcomes = [error] * len(waiting)
    _settle(zip(waiting, outcomes, strict=True))


def _commit(changes: Sequence[Change]) -> list[Exception | None]:
    """Write all changes at once; if that cannot be, all that can, and return what became of each."""
    try:
        with _transaction_for(changes):
            write_changes(connection, changes)
    except IntegrityError:
        with transaction.atomic():
            return [_commit_one(change) for change in changes]
    return [None] * len(changes)


def _transaction_for(changes: Sequence[Change]) -> AbstractContextManager[Any]:
    is_one_statement = connection.vendor == "postgresql" and all(change.summary is None for change in changes)
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


def _settle(told: Any) -> None:
    """Tell everyone who waits; each event loop is woken once."""
    by_loop = defaultdict(list)
    for (_, future, loop), error in told:
        if loop is None:
            _end(future, error)
        else:
            by_loop[loop].append((future, error))
    for loop, outcomes in by_loop.items():
        try:
            loop.call_soon_threadsafe(_end_all, outcomes)
        except RuntimeError:  # the loop is closed, and nobody there waits any more
            continue


def _end_all(outcomes: list[tuple[Any, Exception | None]]) -> None:
    for future, error in outcomes:
        _end(future, error)


def _end(future: Any, error: Exception | None) -> None:
    if future.cancelled():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)
