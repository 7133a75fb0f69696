"""What the worker does again and again for the score tables."""

from __future__ import annotations

from datetime import datetime, timedelta

from games import tasks
from leaderboards.services import replicas, submission


def submit_missing(now: datetime) -> None:
    """Enter the games whose end nobody heard of, because the process died between the commit and the signal."""
    submission.submit_missing(now)


def check_ranks(now: datetime) -> None:
    """Compare the copies in Redis with the database and repair them."""
    replicas.check_replicas(now)


tasks.register(submit_missing, every=timedelta(minutes=1))
tasks.register(check_ranks, every=timedelta(minutes=10))
