"""The periodic tasks of the worker. Every task is idempotent and safe to run in several workers at once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from games.services.accounts import forget_expired_sessions, forget_expired_tokens
from games.services.certificates import certify_deals
from games.services.dailies import ensure_dailies
from games.services.erasure import erase_games_left
from games.services.exports import prepare_exports, remove_old_exports
from games.services.retention import forget_guest_practice, forget_idle_guests
from games.services.reviews import compute_reviews
from games.services.sealed_logs import seal_logs
from games.services.sessions import expire_overdue
from games.services.uptime import forget_old_uptime

logger = logging.getLogger(__name__)


@dataclass
class Periodic:
    """A task and the time between two runs."""

    run: Callable[[datetime], object]
    every: timedelta
    last_run: datetime | None = field(default=None, init=False)

    def is_due(self, now: datetime) -> bool:
        return self.last_run is None or now - self.last_run >= self.every


_tasks: list[Periodic] = []


def register(run: Callable[[datetime], object], every: timedelta) -> None:
    """Register a task with the worker. Apps above this one call it from `ready`."""
    _tasks.append(Periodic(run, every))


def run_due(now: datetime) -> None:
    """Run every task that is due. A failure is logged and does not stop the others."""
    for task in _tasks:
        if task.is_due(now):
            task.last_run = now
            try:
                task.run(now)
            except Exception:
                logger.exception("task %s failed", task.run.__name__)


register(ensure_dailies, every=timedelta(hours=1))
register(certify_deals, every=timedelta(seconds=20))
register(expire_overdue, every=timedelta(seconds=30))
register(compute_reviews, every=timedelta(seconds=1))
register(prepare_exports, every=timedelta(seconds=1))
register(remove_old_exports, every=timedelta(minutes=10))
register(erase_games_left, every=timedelta(minutes=1))
register(forget_idle_guests, every=timedelta(minutes=10))
register(forget_guest_practice, every=timedelta(minutes=10))
register(forget_expired_sessions, every=timedelta(hours=1))
register(seal_logs, every=timedelta(seconds=5))
register(forget_old_uptime, every=timedelta(hours=1))
register(forget_expired_tokens, every=timedelta(hours=1))
