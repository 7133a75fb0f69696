"""Queue messages: to the devices that want a notification, in its transaction, and reminders to all in turn."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from django.db import transaction

from games.notifications.notifications import Facts, NotificationKind, Occasion
from games.push.models import PushMessage, Reminder, WantedKind

DEVICES_AT_ONCE = 1000


def queue(occasion: Occasion, facts: Mapping[int, Facts]) -> None:
    """Queue a notification to players, by primary key, for each of their devices that wants its kind."""
    if occasion.kind.is_pushed:
        wanted = WantedKind.objects.filter(kind=occasion.kind.code, subscription__player__in=facts)
        _store(occasion, wanted.select_related("subscription"), facts)


def remind(
    kind: NotificationKind, subject: str, now: datetime, facts_of: Callable[[list[int]], Mapping[int, Facts]]
) -> None:
    """Queue a reminder for some more of the devices that want its kind; the worker's next run goes on from there.

    `facts_of` returns the facts for those of some players, by primary key, whom it concerns.
    """
    if Reminder.objects.filter(kind=kind.code, subject=subject, is_over=True).exists():
        return
    Reminder.objects.get_or_create(kind=kind.code, subject=subject, defaults={"at": now})
    with transaction.atomic():
        reminder = Reminder.objects.select_for_update().get(kind=kind.code, subject=subject)
        wanted = WantedKind.objects.filter(kind=kind.code, subscription__gt=reminder.reached)
        rows = list(wanted.select_related("subscription").order_by("subscription")[:DEVICES_AT_ONCE])
        _store(Occasion(kind, subject, now), rows, facts_of([row.subscription.player_id for row in rows]))
        reminder.reached = rows[-1].subscription_id if rows else reminder.reached
        reminder.is_over = len(rows) < DEVICES_AT_ONCE
        reminder.save()


def _store(occasion: Occasion, rows: Iterable[WantedKind], facts: Mapping[int, Facts]) -> None:
    messages = [
        _message(occasion, row, facts[row.subscription.player_id])
        for row in rows
        if row.subscription.player_id in facts
    ]
    PushMessage.objects.bulk_create(messages, batch_size=DEVICES_AT_ONCE, ignore_conflicts=True)


def _message(occasion: Occasion, row: WantedKind, facts: Facts) -> PushMessage:
    return PushMessage(
        subscription_id=row.subscription_id,
        sender=occasion.sender,
        kind=occasion.kind.code,
        subject=occasion.subject,
        facts=dict(facts),
        created_at=occasion.at,
        until=occasion.kind.useful_until(facts, occasion.at),
        next_at=occasion.at,
    )
