"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.worker import tasks
from leaderboards.boards import replicas, submission


def submit_missing(now: datetime) -> None:
    """Enter games whose process died between the commit of their end and the signal."""
    submission.submit_missing(now)


def load_wanted_replicas(now: datetime) -> None:
    """Load the boards into Redis that were found missing or behind there."""
    replicas.load_wanted()


def check_replicas(now: datetime) -> None:
    """Compare changed boards in Redis with the database, and repair them."""
    replicas.check_replicas()


tasks.register(submit_missing, every=timedelta(minutes=1))
tasks.register(load_wanted_replicas, every=timedelta(seconds=5))
tasks.register(check_replicas, every=timedelta(minutes=10))
