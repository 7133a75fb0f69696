"""Webhooks for operators: each event is stored once per subscribed webhook, and retried until it is accepted."""

import json
import secrets
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain, groupby
from typing import NamedTuple, cast

import msgspec
from django.conf import settings
from django.db.models import F, Window
from django.db.models.functions import RowNumber
from standardwebhooks import Webhook as Signer

from games.calendar.models import DailyDeal
from games.runtime.exchanges import Exchanges
from games.runtime.posting import Answer, post
from leaderboards.audit.models import DayRoot
from leaderboards.boards.models import Decision, EntryState
from leaderboards.seasons.models import Season
from leaderboards.webhooks.club_weeks import club_weeks
from leaderboards.webhooks.models import Delivery, Webhook, WebhookEvent
from leaderboards.webhooks.payloads import (
    ClosedSeason,
    DealOfADay,
    DealsOfADay,
    PublishedDecision,
    PublishedState,
    SealedDay,
)

FOR_A_DAY = timedelta(days=1)
LEASE = timedelta(minutes=2)  # an attempt of a worker that died is repeated after this time
KEPT = timedelta(days=30)
PAUSES = [timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30), *(timedelta(hours=h) for h in (2, 5, 8))]
PUBLISHED = (EntryState.DISQUALIFIED, EntryState.REINSTATED)
MOST_AT_ONCE, MOST_TO_ONE = 16, 4  # so that one address that answers slowly holds up no other
GONE = 410
HOW_TO_ALLOW = "PYRAMID_WEBHOOKS_TO_PRIVATE_ADDRESSES=yes in the server's environment allows it"

_exchanges = Exchanges("webhook", MOST_AT_ONCE, MOST_AT_ONCE)


class Event(NamedTuple):
    """An event, the time at which it happened, and what makes it the same event."""

    kind: WebhookEvent
    subject: str
    at: datetime
    data: msgspec.Struct

    @property
    def body(self) -> str:
        return msgspec.json.encode(
            {"type": self.kind.value, "timestamp": self.at.isoformat(), "data": self.data}
        ).decode()


class Sent(NamedTuple):
    """A test event that was sent: the signed text, and the answer."""

    signed: str
    signature: str
    answer: str
    is_accepted: bool


def send_test_event(webhook: Webhook, now: datetime) -> Sent:
    """Send a signed event `test` to a webhook once, without keeping it."""
    body = json.dumps({"type": "test", "timestamp": now.isoformat(), "data": {}}, separators=(",", ":"))
    delivery = Delivery(webhook=webhook, message=_new_message(), body=body)
    headers = _headers(delivery, now)
    answer = _attempt(delivery, now)
    signed = f"{delivery.message}.{headers['webhook-timestamp']}.{body}"
    return Sent(signed, headers["webhook-signature"], str(answer.status or answer.error), answer.is_accepted)


def enqueue_webhooks(now: datetime) -> None:
    """Store each event of the last day once for each webhook that subscribed before it."""
    webhooks = list(Webhook.objects.filter(is_active=True))
    if not webhooks:
        return
    since = max(now - FOR_A_DAY, min(webhook.created_at for webhook in webhooks))
    wanted = [
        _delivery(webhook, event, now)
        for event in chain(_events_between(since, now), _club_weeks(webhooks, since, now))
        for webhook in webhooks
        if event.kind in webhook.events and event.at >= webhook.created_at
    ]
    Delivery.objects.bulk_create(wanted, ignore_conflicts=True)


def send_webhooks(now: datetime) -> None:
    """Store the outcomes of attempts, and begin those that are due, beside the worker's other tasks."""
    note_answers(now)
    for delivery in _due(now)[: _exchanges.room]:
        claimed = Delivery.objects.filter(pk=delivery.pk, next_at=delivery.next_at)
        if claimed.update(next_at=now + LEASE, attempts=F("attempts") + 1):  # no other worker was first
            _exchanges.begin(delivery.pk, partial(_attempt, delivery, now))


def _due(now: datetime) -> list[Delivery]:
    """Return the deliveries that are due, the first of each webhook before the second of any."""
    turn = Window(RowNumber(), partition_by="webhook", order_by=("next_at", "pk"))
    fresh = Delivery.objects.filter(created_at__gte=now - FOR_A_DAY)
    due = fresh.filter(next_at__lte=now, webhook__is_active=True).annotate(turn=turn)
    some = due.filter(turn__lte=MOST_TO_ONE).select_related("webhook").order_by("turn", "next_at", "pk")
    under_way = Counter(Delivery.objects.filter(pk__in=_exchanges.numbers).values_list("webhook", flat=True))
    return [delivery for delivery in some if delivery.turn + under_way[delivery.webhook_id] <= MOST_TO_ONE]


def note_answers(now: datetime, *, waits: bool = False) -> None:
    """Store the answers that have arrived, or with `waits` wait for all of them."""
    for pk, answer in _exchanges.ended(waits=waits):
        for delivery in Delivery.objects.filter(pk=pk):  # unless its webhook was deleted
            _note(delivery, answer, now)


def forget_old_deliveries(now: datetime) -> None:
    """Forget old deliveries, and give up those that waited a day: no worker ran, or their webhook was switched off."""
    Delivery.objects.filter(next_at__isnull=False, created_at__lt=now - FOR_A_DAY).update(next_at=None)
    Delivery.objects.filter(created_at__lt=now - KEPT).delete()


def _events_between(since: datetime, now: datetime) -> Iterator[Event]:
    dailies = DailyDeal.objects.filter(day__gte=(since - 2 * FOR_A_DAY).date(), day__lte=now.date())
    for day, rows in groupby(dailies.order_by("day", "pk"), key=lambda daily: daily.day):
        of_day = list(rows)
        key, data = of_day[0].key, DealsOfADay(day, [DealOfADay(daily.rules, daily.division) for daily in of_day])
        for kind, at in ((WebhookEvent.DAY_OPENED, key.opens_at), (WebhookEvent.DAY_CLOSED, key.finish_by)):
            if since <= at <= now:
                yield Event(kind, day.isoformat(), at, data)
    for root in DayRoot.objects.filter(made_at__range=(since, now)):
        sealed = SealedDay(root.day, root.count, root.root)
        yield Event(WebhookEvent.DAY_FINAL, root.day.isoformat(), root.made_at, sealed)
    for season in Season.objects.filter(closed_at__range=(since, now)):
        closed = ClosedSeason(season.slug, f"{season.month:%Y-%m}", season.count)
        yield Event(WebhookEvent.SEASON_CLOSED, season.slug, season.closed_at, closed)
    for decision in Decision.objects.filter(state__in=PUBLISHED, at__range=(since, now)).select_related("game__daily"):
        day = decision.game.daily.day if decision.game.daily else None
        made = PublishedDecision(decision.game_id, day, cast(PublishedState, decision.state), decision.reason)
        yield Event(WebhookEvent.DECISION_MADE, str(decision.pk), decision.at, made)


def _club_weeks(webhooks: list[Webhook], since: datetime, now: datetime) -> Iterator[Event]:
    """Yield the weeks of clubs if a webhook wants them; to count their tables costs some time."""
    if any(WebhookEvent.CLUB_WEEK in webhook.events for webhook in webhooks):
        for week in club_weeks(since, now):
            yield Event(WebhookEvent.CLUB_WEEK, *week)


def _attempt(delivery: Delivery, now: datetime) -> Answer:
    is_allowed = settings.PYRAMID_WEBHOOKS_TO_PRIVATE_ADDRESSES
    answer = post(delivery.webhook.address, _headers(delivery, now), delivery.body.encode(), to_private=is_allowed)
    return answer._replace(error=f"{answer.error}; {HOW_TO_ALLOW}") if answer.is_private else answer


def _delivery(webhook: Webhook, event: Event, now: datetime) -> Delivery:
    return Delivery(
        webhook=webhook,
        message=_new_message(),
        event=event.kind,
        subject=event.subject,
        body=event.body,
        created_at=now,
        next_at=now,
    )


def _new_message() -> str:
    return f"msg_{secrets.token_urlsafe(18)}"


def _headers(delivery: Delivery, now: datetime) -> dict[str, str]:
    signature = Signer(delivery.webhook.secret).sign(delivery.message, now.astimezone(UTC), delivery.body)
    return {
        "Content-Type": "application/json",
        "webhook-id": delivery.message,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signature,
    }


def _note(delivery: Delivery, answer: Answer, now: datetime) -> None:
    """Store an answer: accepted, the end of the webhook, another attempt, or the last one of the day."""
    delivery.status, delivery.error, delivery.next_at = answer.status, answer.error[:200], None
    if answer.is_accepted:
        delivery.delivered_at = now
    elif answer.status == GONE:
        Webhook.objects.filter(pk=delivery.webhook_id).update(is_active=False)
    else:
        later = now + PAUSES[min(delivery.attempts, len(PAUSES)) - 1]
        delivery.next_at = later if later <= delivery.created_at + FOR_A_DAY else None
    delivery.save(update_fields=["status", "error", "next_at", "delivered_at"])
