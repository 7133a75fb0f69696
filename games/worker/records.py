"""The record of the worker's tasks, which every process can read."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import F, Max

from games.worker.models import WorkerTask

WRITE_EVERY = timedelta(seconds=10)
KEPT = timedelta(days=30)  # the record of a task that a newer version no longer has

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Failures:
    """The failures in a row before a run and after it, and its exception."""

    before: int
    now: int
    error: Exception | None


@dataclass
class Tally:
    """The runs of a task since they were last written."""

    every: timedelta
    last_run_at: datetime
    last_seconds: float
    runs: int = 0
    failures: int = 0
    retries: int = 0
    failures_in_a_row: int = 0
    last_failure_at: datetime | None = None
    last_error: str = ""


class TaskRecord:
    """Counts the runs of this process's tasks and adds them to the table now and then, as one transaction."""

    def __init__(self) -> None:
        self._tallies: dict[str, Tally] = {}
        self._written_at: datetime | None = None

    def note(self, name: str, every: timedelta, at: datetime, seconds: float, failures: Failures) -> None:
        """Count a run that began at a time, with its duration, and its failure if it was one."""
        tally = self._tallies.setdefault(name, Tally(every, at, seconds))
        tally.last_run_at, tally.last_seconds = at, seconds
        tally.runs += 1
        tally.retries += failures.before > 0
        tally.failures_in_a_row = failures.now
        if failures.error is not None:
            tally.failures += 1
            tally.last_failure_at, tally.last_error = at, type(failures.error).__name__

    def write(self, now: datetime) -> None:
        """Write the counts if the last time is long enough ago. Counts that cannot be written are kept for the next."""
        if self._written_at is not None and abs(now - self._written_at) < WRITE_EVERY:
            return
        try:
            with transaction.atomic():
                for name in sorted(self._tallies):
                    _add(name, self._tallies[name])
                if self._written_at is None:
                    WorkerTask.objects.filter(last_run_at__lt=now - KEPT).delete()
        except DatabaseError as error:
            logger.warning("the record of the worker's tasks could not be written: %s", error)
        else:
            self._tallies.clear()
            self._written_at = now


def worker_seen_at() -> datetime | None:
    """Return when a worker last ran a task, as far as is recorded; None if none ever did."""
    seen: datetime | None = WorkerTask.objects.aggregate(seen=Max("last_run_at"))["seen"]
    return seen


def is_worker_late(seen: datetime | None, now: datetime) -> bool:
    """Return True if no worker has been seen for some time."""
    return seen is None or now - seen > WRITE_EVERY + WorkerTask.TOLERANCE


def troubled(names: Iterable[str], at: datetime) -> list[WorkerTask]:
    """Return those of the named tasks that are late or fail, seen from a time at which a worker was running."""
    return [task for task in WorkerTask.objects.filter(name__in=list(names)) if task.state(at) != WorkerTask.State.OK]


def _add(name: str, tally: Tally) -> None:
    last = {
        "every_seconds": tally.every.total_seconds(),
        "last_run_at": tally.last_run_at,
        "last_seconds": tally.last_seconds,
        "failures_in_a_row": tally.failures_in_a_row,
    }
    if tally.last_failure_at is not None:
        last |= {"last_failure_at": tally.last_failure_at, "last_error": tally.last_error}
    counted = {"runs": tally.runs, "failures": tally.failures, "retries": tally.retries}
    added = {field: F(field) + number for field, number in counted.items()}
    rows = WorkerTask.objects.filter(pk=name)
    if rows.update(**last, **added):
        return
    try:
        with transaction.atomic():
            WorkerTask.objects.create(name=name, **last, **counted)
    except IntegrityError:  # another worker was faster
        rows.update(**last, **added)
