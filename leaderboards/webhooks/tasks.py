"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.worker import tasks
from leaderboards.webhooks import webhooks


def enqueue_webhooks(now: datetime) -> None:
    """Store the events that webhooks want."""
    webhooks.enqueue_events(now)


def send_webhooks(now: datetime) -> None:
    """Send the events that are due."""
    webhooks.send_due(now)


def forget_old_deliveries(now: datetime) -> None:
    """Delete old deliveries to webhooks."""
    webhooks.forget_old_deliveries(now)


tasks.register(enqueue_webhooks, every=timedelta(seconds=5))
tasks.register(send_webhooks, every=timedelta(seconds=1))
tasks.register(forget_old_deliveries, every=timedelta(hours=1))
