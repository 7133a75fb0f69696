"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import timedelta

from games.calendar.certificates import certify_deals
from games.calendar.dailies import ensure_dailies
from games.worker.tasks import register

register(ensure_dailies, every=timedelta(hours=1))
register(certify_deals, every=timedelta(seconds=20))
