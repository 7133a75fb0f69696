"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.worker import tasks
from leaderboards.leagues import leagues


def close_leagues(now: datetime) -> None:
    """Close the weeks of the leagues whose last day is sealed, and make the groups of the weeks after."""
    leagues.close_leagues(now)


tasks.register(close_leagues, every=timedelta(minutes=10))
