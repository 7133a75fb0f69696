"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.worker import tasks
from leaderboards.skill import deal_results


def count_results(now: datetime) -> None:
    """Count people's results on past daily deals."""
    deal_results.count_results(now)


def measure_skill(now: datetime) -> None:
    """Measure how much of players' results is due to them and to the deals."""
    from leaderboards.skill import measuring  # noqa: PLC0415  numpy is for workers alone

    measuring.measure_skill(now)


tasks.register(count_results, every=timedelta(minutes=1))
tasks.register(measure_skill, every=timedelta(hours=6))
