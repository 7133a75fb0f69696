"""What the worker does again and again for the score tables."""

from __future__ import annotations

from datetime import datetime, timedelta

from games import tasks
from leaderboards.services import submission


def submit_missing(now: datetime) -> None:
    """Enter the games whose end nobody heard of, because the process died between the commit and the signal."""
    submission.submit_missing()


tasks.register(submit_missing, every=timedelta(minutes=1))
