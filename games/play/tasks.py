"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import timedelta

from games.play.sealed_logs import seal_logs
from games.play.sessions import expire_overdue
from games.play.uptime import forget_old_uptime
from games.worker.tasks import register

register(expire_overdue, every=timedelta(seconds=5))
register(seal_logs, every=timedelta(seconds=5))
register(forget_old_uptime, every=timedelta(hours=1))
