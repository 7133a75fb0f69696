"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.worker import tasks
from leaderboards.audit import sealing, verifying


def verify_entered(now: datetime) -> None:
    """Verify the games that have been entered since the last run."""
    verifying.verify_entered(now)


def seal_days(now: datetime) -> None:
    """Seal the results of the days that have become final."""
    sealing.seal_days(now)


tasks.register(verify_entered, every=timedelta(seconds=5))
tasks.register(seal_days, every=timedelta(minutes=10))
