"""Queue messages: to the devices that want a notification, in its transaction, and reminders to all in turn."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from django.db import transaction

from games.notifications.notifications import Addressed, Facts, NotificationKind, Occasion
from games.push.models import PushMessage, Reminder, WantedKind

DEVICES_AT_ONCE = 1000


def queue(occasion: Occasion, addressed: Sequence[Addressed]) -> None:
    """Queue notifications for each device of their players that wants their kind."""
    if occasion.kind.is_pushed:
        players = {each.player for each in addressed}
        wanted = WantedKind.objects.filter(kind=occasion.kind.code, subscription__player__in=players)
        _store(occasion, wanted.select_related("subscription"), addressed)


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
        facts = facts_of([row.subscription.player_id for row in rows])
        _store(Occasion(kind, now), rows, [Addressed(player, subject, own) for player, own in facts.items()])
        reminder.reached = rows[-1].subscription_id if rows else reminder.reached
        reminder.is_over = len(rows) < DEVICES_AT_ONCE
        reminder.save()


def _store(occasion: Occasion, rows: Iterable[WantedKind], addressed: Iterable[Addressed]) -> None:
    devices: dict[int, list[int]] = defaultdict(list)
    for row in rows:
        devices[row.subscription.player_id].append(row.subscription_id)
    messages = [_message(occasion, device, each) for each in addressed for device in devices.get(each.player, ())]
    PushMessage.objects.bulk_create(messages, batch_size=DEVICES_AT_ONCE, ignore_conflicts=True)


def _message(occasion: Occasion, device: int, addressed: Addressed) -> PushMessage:
    return PushMessage(
        subscription_id=device,
        sender=occasion.sender,
        kind=occasion.kind.code,
        subject=addressed.subject,
        facts=dict(addressed.facts),
        created_at=occasion.at,
        until=occasion.kind.useful_until(addressed.facts, occasion.at),
        next_at=occasion.at,
    )
