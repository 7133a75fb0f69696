"""Send what is queued, beside the worker's other tasks: each message arrives at most once."""

import hashlib
import json
from collections import Counter
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import F
from django.utils import timezone, translation

from games.notifications.notifications import NotificationKind, find_kind
from games.push.encryption import authorization, encrypt, server_key
from games.push.models import PushCount, PushMessage, QuietHours, Reminder, Subscription
from games.push.quiet_hours import quiet_until, zone_of
from games.runtime.exchanges import Exchanges
from games.runtime.posting import Answer, post

MOST_AT_ONCE = 16
MOST_WAITING = 256  # for one of the threads
PAUSES = [timedelta(seconds=30), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2)]
LONGEST_PAUSE, MOST_DIGITS = timedelta(hours=6), 6  # Python refuses to read thousands of digits
MOST_REFUSALS = 20  # one after the other; fewer than a wrong clock of a day would bring about
GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
SIGNED_FOR = timedelta(hours=12)  # services take up to 24 hours
TITLE = "Pyramid"
TO_PRIVATE_ADDRESSES = False  # for tests alone, whose push service is this machine
Outcome = PushMessage.Outcome

_exchanges = Exchanges("push", MOST_AT_ONCE, MOST_WAITING)
_ended: Counter[str] = Counter()


def send_pushes(now: datetime) -> None:
    """Store the outcomes of attempts, and begin those that are due."""
    note_answers(now)
    due = PushMessage.objects.filter(next_at__lte=now).select_related("subscription__player__quiet_hours")
    for message in due.order_by("next_at", "pk")[: _exchanges.room]:
        _begin(message, now)
    _write_counts()


def note_answers(now: datetime, *, waits: bool = False) -> None:
    """Store the answers that have arrived, or with `waits` wait for all of them."""
    for pk, answer in _exchanges.ended(waits=waits):
        for message in PushMessage.objects.filter(pk=pk).select_related("subscription"):  # unless it was deleted
            _note(message, answer, now)
    _write_counts()


def stop_sending(now: datetime) -> None:
    """Give back the messages that wait for a thread, and store the outcomes of those under way."""
    waiting = {"next_at": now, "attempts": F("attempts") - 1, "outcome": Outcome.WAITING}
    PushMessage.objects.filter(pk__in=_exchanges.give_back()).update(**waiting)
    note_answers(now, waits=True)


def forget_old_messages(now: datetime) -> None:
    """Delete messages and reminders that are of no use any more."""
    PushMessage.objects.filter(created_at__lt=now - PushMessage.KEPT).delete()
    Reminder.objects.filter(at__lt=now - PushMessage.KEPT).delete()


def _begin(message: PushMessage, now: datetime) -> None:
    """Send a message in a thread, or find out why it is of no use, or not yet."""
    device, kind = message.subscription, find_kind(message.kind)
    quiet = quiet_until(_hours_of(device), now)
    if device.server_key != server_key() or not device.player.is_active:
        device.delete()  # its push service would refuse every message
        _ended[Outcome.GONE] += 1
    elif kind is None or now >= message.until or not kind.still_holds(device.player_id, message.facts, now):
        _end(message, Outcome.OUTDATED)
    elif quiet is None:
        _send(message, kind, now)
    elif quiet < message.until:
        PushMessage.objects.filter(pk=message.pk, next_at=message.next_at).update(next_at=quiet)
    else:
        _end(message, Outcome.QUIET)


def _send(message: PushMessage, kind: NotificationKind, now: datetime) -> None:
    """Begin an attempt, unless another worker was first.

    If this worker dies meanwhile, nobody knows whether the message has arrived, so that it is not sent again.
    """
    attempt = {"next_at": None, "attempts": F("attempts") + 1, "outcome": Outcome.UNKNOWN}
    if PushMessage.objects.filter(pk=message.pk, next_at=message.next_at).update(**attempt):
        device = message.subscription
        with translation.override(device.language), timezone.override(zone_of(_hours_of(device))):
            text = _text_of(kind, message)
        _exchanges.begin(message.pk, partial(_attempt, message, text, now))


def _hours_of(device: Subscription) -> QuietHours | None:
    hours: QuietHours | None = getattr(device.player, "quiet_hours", None)
    return hours


def _attempt(message: PushMessage, text: bytes, now: datetime) -> Answer:
    device = message.subscription
    parts = urlsplit(device.endpoint)
    signed_until = int(now.replace(minute=0, second=0).timestamp() + SIGNED_FOR.total_seconds())
    headers = {
        "Authorization": authorization(f"{parts.scheme}://{parts.netloc}", _contact(), signed_until),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int((message.until - now).total_seconds())),
        "Topic": _topic_of(message),
        "Urgency": "normal",
    }
    return post(device.endpoint, headers, encrypt(text, device.p256dh, device.auth), to_private=TO_PRIVATE_ADDRESSES)


def _contact() -> str:
    """Return the address at which a push service finds the operator."""
    url: str = settings.PYRAMID_PUBLIC_URL
    return url if url.startswith("https://") else f"mailto:{settings.DEFAULT_FROM_EMAIL}"


def _text_of(kind: NotificationKind, message: PushMessage) -> bytes:
    """Return what the service worker shows, in the active language and time zone."""
    shown = {
        "title": TITLE,
        "body": kind.words(message.facts),
        "page": kind.address(message.facts) or "/",
        "tag": _topic_of(message),
        "language": translation.get_language(),
    }
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()


def _topic_of(message: PushMessage) -> str:
    """Return the name by which a service and a browser replace a message with itself, should it ever come twice."""
    return hashlib.sha256(f"{message.kind}:{message.subject}".encode()).hexdigest()[:32]


def _note(message: PushMessage, answer: Answer, now: datetime) -> None:
    """Store an answer: accepted, the end of the device, another attempt, or the end of the message."""
    device = Subscription.objects.filter(pk=message.subscription_id)
    later = now + _pause(message.attempts, answer)
    if answer.is_accepted:
        device.update(sent_at=now, refusals=0)
        _end(message, Outcome.ACCEPTED)
    elif answer.status in GONE:
        device.delete()
        _ended[Outcome.GONE] += 1
    elif (answer.status is None and answer.may_be_sent) or answer.status == HTTPStatus.GATEWAY_TIMEOUT:
        _end(message, Outcome.UNKNOWN, answer.error)
    elif _is_for_later(answer) and later < message.until and message.attempts <= len(PAUSES):
        waiting = {"next_at": later, "outcome": Outcome.WAITING, "error": answer.error[:200]}
        PushMessage.objects.filter(pk=message.pk).update(**waiting)
    else:
        if not _is_for_later(answer):
            device.update(refusals=F("refusals") + 1)
        _end(message, Outcome.REFUSED, answer.error)
        device.filter(refusals__gte=MOST_REFUSALS).delete()


def _is_for_later(answer: Answer) -> bool:
    """Return True if the message has surely not arrived, and the service may take it later."""
    status = answer.status
    return status is None or status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def _pause(attempts: int, answer: Answer) -> timedelta:
    pause = PAUSES[min(attempts, len(PAUSES)) - 1]
    later = answer.retry_after
    asked = int(later[:MOST_DIGITS]) if later.isascii() and later.isdigit() else 0
    return max(pause, min(timedelta(seconds=asked), LONGEST_PAUSE))


def _end(message: PushMessage, outcome: str, error: str = "") -> None:
    ended = PushMessage.objects.filter(pk=message.pk).update(next_at=None, outcome=outcome, error=error[:200])
    _ended[outcome] += ended


def _write_counts() -> None:
    """Add what ended to the counts that every process can read."""
    for outcome, count in _ended.items():
        PushCount.objects.get_or_create(outcome=outcome)
        PushCount.objects.filter(outcome=outcome).update(count=F("count") + count)
    _ended.clear()
