"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import timedelta

from games.analysis.requests import compute_analyses
from games.worker.tasks import register

register(compute_analyses, every=timedelta(seconds=1))
