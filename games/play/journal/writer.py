"""Group commit: all changes of a process that wait at the same moment are written in one transaction."""

import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from django.db import IntegrityError, connection, transaction
from prometheus_client import Counter, Histogram

from games.play.journal.statements import is_action_alone, write_changes
from games.play.refusals import Conflict
from games.play.session import Change
from games.runtime import tracing
from games.runtime.batching import BatchThread
from games.runtime.outages import tell

logger = logging.getLogger(__name__)

Outcomes = Sequence[Exception | None]
"""The result of a change: None if it was committed, or else the `Conflict` or `DatabaseError`."""

# Served at `/metrics`.
_batch = Histogram(
    "pyramid_journal_batch_changes", "Changes written in one transaction.", buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500)
)
_seconds = Histogram(
    "pyramid_journal_batch_seconds",
    "How long a transaction took.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.05, 0.2, 1, 10),
)
_conflicts = Counter("pyramid_journal_conflicts_total", "Changes to games that had moved on without us.")
_failures = Counter("pyramid_journal_failures_total", "Transactions that the database did not confirm.")


def new_writer() -> BatchThread[Change, None]:
    """Return a thread that commits changes in the order in which they arrive."""
    return BatchThread("journal", _write)


def note_batch(changes: int, seconds: float, error: Exception | None) -> None:
    """Note for the metrics what was written without the thread, or failed."""
    _batch.observe(changes)
    _seconds.observe(seconds)
    if error is not None:
        _failures.inc()
        tell(logger, "journal", f"journal: {changes} items failed", error)


def _write(changes: Sequence[Change]) -> Outcomes:
    _batch.observe(len(changes))
    try:
        with _seconds.time(), tracing.span("journal.commit", {"pyramid.changes": len(changes)}):
            return _commit(changes)
    except Exception:
        _failures.inc()
        raise


def _commit(changes: Sequence[Change]) -> Outcomes:
    """Commit all changes at once or, if that fails, those that can be committed; return the result of each."""
    try:
        with _transaction_for(changes):
            not_started = write_changes(connection, changes)
    except IntegrityError:
        # The database does not say which change is impossible. Each is tried behind a savepoint of one transaction, so
        # that the others still wait for the disk once.
        with transaction.atomic():
            return [_commit_one(change) for change in changes]
    return [_not_started(change) if change.game in not_started else None for change in changes]


def _transaction_for(changes: Sequence[Change]) -> AbstractContextManager[Any]:
    # A single statement is atomic by itself; a transaction would only add its begin and its commit.
    is_one_statement = all(map(is_action_alone, changes))
    return nullcontext() if is_one_statement else transaction.atomic()


def _commit_one(change: Change) -> Exception | None:
    try:
        with transaction.atomic():
            not_started = write_changes(connection, [change])
    except IntegrityError:
        _conflicts.inc()
        return Conflict(f"game {change.game} was changed by someone else meanwhile")
    return _not_started(change) if not_started else None


def _not_started(change: Change) -> Conflict:
    return Conflict(f"game {change.game} was not started: its player has an attempt already, or cannot have this one")
