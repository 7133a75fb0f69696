"""Group commit: all changes of a process that wait at the same moment are written in one transaction."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from django.db import IntegrityError, connection, transaction

from games.play.journal import metrics
from games.play.journal.statements import write_changes
from games.play.refusals import Conflict
from games.play.session import Change
from games.runtime import tracing
from games.runtime.batching import BatchThread

Outcomes = Sequence[Exception | None]
"""The result of a change: None if it was committed, or else the `Conflict` or `DatabaseError`."""

Writer = BatchThread[Change, None]


def new_writer() -> Writer:
    """Return a thread that commits changes in the order in which they arrive."""
    return BatchThread("journal", _write)


def _write(changes: Sequence[Change]) -> Outcomes:
    metrics.batch.observe(len(changes))
    try:
        with metrics.seconds.time(), tracing.span("journal.commit", {"pyramid.changes": len(changes)}):
            return _commit(changes)
    except Exception:
        metrics.failures.inc()
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
    is_one_statement = all(change.step is not None and change.summary is None for change in changes)
    return nullcontext() if is_one_statement else transaction.atomic()


def _commit_one(change: Change) -> Exception | None:
    try:
        with transaction.atomic():
            not_started = write_changes(connection, [change])
    except IntegrityError:
        metrics.conflicts.inc()
        return Conflict(f"game {change.game} was changed by someone else meanwhile")
    return _not_started(change) if not_started else None


def _not_started(change: Change) -> Conflict:
    return Conflict(f"game {change.game} was not started: its player has an attempt already, or cannot have this one")
