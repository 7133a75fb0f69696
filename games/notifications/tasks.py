"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import timedelta

from games.notifications.notifications import forget_old_notifications
from games.worker.tasks import register

register(forget_old_notifications, every=timedelta(hours=1))
