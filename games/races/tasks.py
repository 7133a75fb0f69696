"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import timedelta

from games.races.course import advance_all
from games.races.hourly import ensure_hourly_race
from games.races.ratings import rate_races
from games.worker.tasks import register

register(advance_all, every=timedelta(seconds=1))
register(rate_races, every=timedelta(seconds=1))
register(ensure_hourly_race, every=timedelta(seconds=30))
