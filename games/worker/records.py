"""The record of the worker's tasks, which every process can read."""

import logging
from datetime import datetime, timedelta

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import F, Max

from games.runtime.outages import tell
from games.worker.models import WorkerTask

WRITE_EVERY = timedelta(seconds=10)
LAST = ("every_seconds", "last_run_at", "last_seconds", "failures_in_a_row")
COUNTED = ("runs", "failures", "retries")
KEPT = timedelta(days=30)  # the record of a task that a newer version no longer has

logger = logging.getLogger(__name__)


class TaskRecord:
    """Counts the runs of this process's tasks and adds them to the table now and then, as one transaction."""

    def __init__(self) -> None:
        self._tallies: dict[str, WorkerTask] = {}  # unsaved, each about the runs since they were last written
        self._written_at: datetime | None = None

    def note(self, run: WorkerTask) -> None:
        """Count a run of a task, given as the row of a task that has run once."""
        if (tally := self._tallies.get(run.name)) is not None:
            for field in COUNTED:
                setattr(run, field, getattr(tally, field) + getattr(run, field))
            if run.last_failure_at is None:
                run.last_failure_at, run.last_error = tally.last_failure_at, tally.last_error
        self._tallies[run.name] = run

    def write(self, now: datetime) -> None:
        """Write the counts if the last time is long enough ago. Counts that cannot be written are kept for the next."""
        if self._written_at is not None and abs(now - self._written_at) < WRITE_EVERY:
            return
        try:
            with transaction.atomic():
                for name in sorted(self._tallies):
                    _add(self._tallies[name])
                if self._written_at is None:
                    WorkerTask.objects.filter(last_run_at__lt=now - KEPT).delete()
        except DatabaseError as error:
            tell(logger, "records", "the record of the worker's tasks could not be written", error)
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


def _add(tally: WorkerTask) -> None:
    failed = ("last_failure_at", "last_error") if tally.last_failure_at is not None else ()
    last = {field: getattr(tally, field) for field in (*LAST, *failed)}
    added = {field: F(field) + getattr(tally, field) for field in COUNTED}
    rows = WorkerTask.objects.filter(pk=tally.pk)
    if rows.update(**last, **added):
        return
    try:
        with transaction.atomic():
            tally.save(force_insert=True)
    except IntegrityError:  # another worker was faster
        rows.update(**last, **added)
