"""The periodic tasks of the worker. Every task is idempotent and safe to run in several workers at once."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import wraps
from time import perf_counter

from games.runtime import tracing
from games.runtime.outages import tell
from games.worker.models import WorkerTask
from games.worker.records import TaskRecord

logger = logging.getLogger(__name__)


# A task that fails is tried again after this time, twice as long with each failure in a row, and up to the longest.
FIRST_RETRY, LONGEST_RETRY = timedelta(seconds=5), timedelta(minutes=1)


@dataclass
class Periodic:
    """A task and the time between two runs. People wait for what is urgent; it need not wait for other tasks."""

    run: Callable[[datetime], object]
    every: timedelta
    is_urgent: bool = False
    last_run: datetime | None = field(default=None, init=False)
    failures_in_a_row: int = field(default=0, init=False)

    def is_due(self, now: datetime) -> bool:
        # A clock that was put back does not stop the worker until the old time comes round again.
        return self.last_run is None or abs(now - self.last_run) >= self._pause

    @property
    def _pause(self) -> timedelta:
        if not self.failures_in_a_row:
            return self.every
        return min(FIRST_RETRY * (1 << min(self.failures_in_a_row - 1, 10)), LONGEST_RETRY)


_tasks: list[Periodic] = []
_rushes: list[Callable[[datetime], bool]] = []
_endings: list[Callable[[datetime], object]] = []
_record = TaskRecord()


def register(
    run: Callable[[datetime], object], every: timedelta, *, is_urgent: bool = False, is_patient: bool = False
) -> None:
    """Register a task with the worker; one that is patient does nothing in a rush. Apps above call it from `ready`."""
    _tasks.append(Periodic(_unless_rush(run) if is_patient else run, every, is_urgent))


def register_rush(is_one: Callable[[datetime], bool]) -> None:
    """Register what returns True while there is a rush of some kind."""
    _rushes.append(is_one)


def is_rush(now: datetime) -> bool:
    """Return True while people need all of the processors."""
    return any(is_one(now) for is_one in _rushes)


def _unless_rush(run: Callable[[datetime], object]) -> Callable[[datetime], object]:
    @wraps(run)
    def patient(now: datetime) -> None:
        if not is_rush(now):
            run(now)

    return patient


def register_ending(run: Callable[[datetime], object]) -> None:
    """Register what ends the work that tasks began beside the others, when this worker stops."""
    _endings.append(run)


def end(now: datetime) -> None:
    """Run every ending; a failure is logged and does not stop the others."""
    for run in _endings:
        try:
            run(now)
        except Exception:
            logger.exception("%s failed", run.__name__)


def run_due(now: datetime) -> int:
    """Run every task that is due, record the outcomes, and return how many failed.

    Urgent ones come first, and again after each of the others, some of which take a second, if they are due by then. A
    failure is logged and does not stop the others.
    """
    begun = perf_counter()
    due = sorted((task for task in _tasks if task.is_due(now)), key=lambda task: not task.is_urgent)
    for task in due:
        _run(task, now)
        if not task.is_urgent:
            run_urgent(now + timedelta(seconds=perf_counter() - begun))
    _record.write(now)
    return sum(task.failures_in_a_row > 0 for task in due)


def run_urgent(now: datetime) -> None:
    """Run the urgent tasks that are due; `run_due` records the outcomes."""
    for task in _tasks:
        if task.is_urgent and task.is_due(now):
            _run(task, now)


def _run(task: Periodic, now: datetime) -> None:
    task.last_run = now
    run = WorkerTask(
        name=task.run.__name__,
        every_seconds=task.every.total_seconds(),
        last_run_at=now,
        runs=1,
        retries=int(task.failures_in_a_row > 0),
    )
    began = perf_counter()
    try:
        with tracing.span(f"task.{run.name}"):
            task.run(now)
        task.failures_in_a_row = 0
    except Exception as error:  # noqa: BLE001  whatever it is, the others go on
        task.failures_in_a_row += 1
        run.failures, run.last_failure_at, run.last_error = 1, now, type(error).__name__
        # Without a database all tasks fail for one reason, which is not a fault of theirs: one line is enough.
        tell(logger, f"tasks {type(error.__cause__ or error).__name__}", f"task {run.name} failed", error)
    run.last_seconds, run.failures_in_a_row = perf_counter() - began, task.failures_in_a_row
    _record.note(run)


def troubled_tasks(at: datetime) -> list[WorkerTask]:
    """Return the tasks of this version that are late or failing, as of a time at which a worker was running."""
    rows = WorkerTask.objects.filter(name__in=[task.run.__name__ for task in _tasks])
    return [task for task in rows if task.state(at) != WorkerTask.State.OK]
