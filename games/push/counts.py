"""Counts of messages to devices by outcome, which every process can read."""

from datetime import datetime

from django.db.models import Min

from games.push.models import PushCount, PushMessage


def outcomes() -> dict[str, int]:
    """Return how many messages ended in each outcome, ever."""
    counted = dict(PushCount.objects.values_list("outcome", "count"))
    return {outcome: counted.get(outcome, 0) for outcome in PushMessage.Outcome.values if outcome != "waiting"}


def seconds_waited(now: datetime) -> float:
    """Return how long the oldest message that is due has waited, 0 if there is none."""
    oldest = PushMessage.objects.filter(next_at__lte=now).aggregate(oldest=Min("next_at"))["oldest"]
    return (now - oldest).total_seconds() if oldest else 0.0
