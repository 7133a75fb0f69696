"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.worker import tasks
from leaderboards.seasons import seasons


def close_seasons(now: datetime) -> None:
    """Freeze the tables of the months whose last day is sealed, with their honours."""
    seasons.close_seasons(now)


tasks.register(close_seasons, every=timedelta(minutes=10))
