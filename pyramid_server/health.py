"""Answer the probe that asks if the process can serve players; `pyramid_server.http` answers if it runs.

It is answered within `READY_SECONDS`, whatever the database does and however busy the threads of requests are: a thread
of its own looks. Players are served without Redis and without a worker too; their failures are still reported.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from time import monotonic

import msgspec
from django.conf import settings
from django.db import OperationalError, close_old_connections, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min

from games.calendar.dailies import days_committed
from games.runtime.clock import clock
from games.runtime.outages import briefly, outages
from games.runtime.redis_client import client_of, within
from games.status.reading import examiners
from games.worker.records import is_worker_late, worker_seen_at
from games.worker.tasks import troubled_tasks
from pyramid_server.heartbeat import heart
from pyramid_server.postgresql.base import given_up_if_gone
from pyramid_server.postgresql.silence import silence

READY_SECONDS = 1.9
KEPT_SECONDS = 1.0  # for which a result is reused
QUERY_SECONDS = 0.5
REDIS_SECONDS = 0.5
# In which the first worker of a new server compiles the solver and chooses the coming days.
FIRST_MINUTES = timedelta(minutes=15)
OK, FAILING, UNKNOWN = "ok", "failing", "unknown"

Verdicts = dict[str, str]
logger = logging.getLogger(__name__)


class NotYetError(Exception):
    """The server is new, and its worker has not finished the first round of its tasks."""


def database() -> None:
    """Check that the database answers and takes writes, that the last heartbeat found it so, and that it has space."""
    with silence.asking(), connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only" if connection.vendor == "postgresql" else "SELECT 'off'")
        is_read_only = cursor.fetchone() != ("off",)
        silence.end()  # here for SQLite, which has nobody else to say so
    if is_read_only:
        raise RuntimeError("it takes no writes: it recovers, or is a standby that was not promoted")
    if heart.failure is not None:
        raise RuntimeError(f"nothing can be written: {heart.failure}")
    if outages.is_full:
        raise RuntimeError("its disk is full")


def its_clock() -> None:
    """Check that the clock of this process agrees with the database's."""
    if not clock.is_known:
        raise RuntimeError("it has not been compared with the database's yet")
    if not clock.is_right:
        raise RuntimeError(f"it is {clock.seconds_ahead:+.1f} s from the database's")


def migrations() -> None:
    if missing := missing_migrations():
        raise RuntimeError(f"{missing} migrations are not applied")


def missing_migrations() -> int:
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def redis() -> None:
    if settings.REDIS_URL:
        with client_of(settings.REDIS_URL, **within(REDIS_SECONDS)) as client:
            client.ping()


def worker() -> None:
    """Check that a worker has run a task recently."""
    seen = worker_seen_at()
    if is_worker_late(seen, clock.now()):
        require_finished_beginning()
        raise RuntimeError(f"no worker has been seen since {seen}" if seen else "no worker was ever seen")


def require_finished_beginning() -> None:
    """Raise `NotYetError` in the first minutes of a new database, until a worker has been seen."""
    made_at = MigrationRecorder(connection).migration_qs.aggregate(made_at=Min("applied"))["made_at"]
    if worker_seen_at() is None and made_at <= clock.now() < made_at + FIRST_MINUTES:
        raise NotYetError


def tasks() -> None:
    """Check that each task of the worker ran in time; while there is no worker, up to when it was last seen."""
    troubled = troubled_tasks(worker_seen_at() or clock.now())
    if troubled:
        raise RuntimeError("; ".join(f"{task.name} since {task.last_run_at}" for task in troubled))


def days() -> None:
    """Check that deals are committed to for as many days as the worker keeps ready."""
    committed, wanted = days_committed(clock.now()), settings.PYRAMID_DAILIES_AHEAD_DAYS
    if committed < wanted:
        require_finished_beginning()
        raise RuntimeError(f"deals are committed to for {committed} days, today included, instead of {wanted}")


# Those that are needed come first; those after `redis` ask the database.
NEEDED = ("database", "migrations", "clock")
CHECKS: dict[str, Callable[[], None]] = {
    "database": database,
    "migrations": migrations,
    "clock": its_clock,
    **{check.__name__: check for check in (redis, worker, tasks, days)},
}


class Readiness:
    """Looks on one thread, once for all who ask at the same time."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "health")
        self._lock = threading.Lock()
        self._looking: Future[None] | None = None
        self._look_again_at = 0.0
        self._verdicts: Verdicts = {}
        self._last: Verdicts = {}

    async def look(self) -> Verdicts:
        """Return the verdict of each check, "unknown" of those that could not be made in time."""
        looking, verdicts = self._begin()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(looking)), READY_SECONDS)
        return dict(verdicts)

    def look_here(self) -> Verdicts:
        """Return what `look` returns; waits in this thread."""
        looking, verdicts = self._begin()
        with suppress(TimeoutError):
            looking.result(READY_SECONDS)
        return dict(verdicts)

    def _begin(self) -> tuple[Future[None], Verdicts]:
        with self._lock:
            if self._looking is None or (self._looking.done() and monotonic() >= self._look_again_at):
                self._look_again_at = monotonic() + KEPT_SECONDS
                self._verdicts = dict.fromkeys(CHECKS, UNKNOWN)
                self._looking = self._thread.submit(self._check, self._verdicts)
            return self._looking, self._verdicts

    def _check(self, verdicts: Verdicts) -> None:
        with given_up_if_gone(QUERY_SECONDS):
            close_old_connections()  # checks the permanent connection before it is used
            for name in CHECKS:
                asks_database = name not in {"database", "clock", "redis"}
                if not asks_database or verdicts["database"] == OK:
                    verdicts[name] = self._verdict(name)

    def _verdict(self, name: str) -> str:
        """Run a check. The answer says only that it failed; the reason is logged, once until the check passes again."""
        began = monotonic()
        try:
            CHECKS[name]()
        except NotYetError:
            return UNKNOWN
        except Exception as error:  # noqa: BLE001  whatever fails means "not ready", never a crash of the probe
            if isinstance(error, OperationalError) and silence.ended_since(began):
                return self._last.get(name, OK)  # others are answered: no other node would do better
            verdict, level, reason = FAILING, logging.WARNING, f"fails: {briefly(error)}"
        else:
            verdict, level, reason = OK, logging.INFO, "has recovered"
        if self._last.get(name, OK) != verdict:
            logger.log(level, "readiness: %s %s", name, reason)
        self._last[name] = verdict
        return verdict


_readiness = Readiness()
examiners.append(_readiness.look_here)


async def ready() -> tuple[int, bytes]:
    """Return the status and the body that answer the probe: 503 if a check fails without which nobody is served."""
    verdicts = await _readiness.look()
    may_be_slow = not silence.means_gone
    is_ready = all(verdicts[name] == OK or (verdicts[name] == UNKNOWN and may_be_slow) for name in NEEDED)
    return 200 if is_ready else 503, msgspec.json.encode(verdicts)
