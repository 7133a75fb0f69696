"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import timedelta

from games.statistics.tallies import count_games
from games.worker.tasks import register

register(count_games, every=timedelta(seconds=2))
