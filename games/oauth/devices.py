"""Devices without a browser: they show a short code, which their player types on another device (RFC 8628)."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from enum import Enum
from hashlib import sha256

from django.db import transaction
from django.utils.crypto import salted_hmac

from games.doors.scopes import Scopes, scopes_in, text_of
from games.oauth.granting import Issued, NotExchanged, allow, issue
from games.oauth.models import App, WaitingDevice
from games.oauth.refusals import TooManyDevices, UnknownDevice
from games.players.models import Player

LASTS = timedelta(minutes=10)
INTERVAL = timedelta(seconds=5)
MOST_WAITING = 1000  # of one app; codes of ten minutes, and strangers may ask
# 34 bits, without vowels, so that no code is a word (RFC 8628, section 6.1).
LETTERS, LENGTH = "BCDFGHJKLMNPQRSTVWXZ", 8


class Waiting(Enum):
    """A reason for which a device gets no token."""

    PENDING = "authorization_pending"
    TOO_FAST = "slow_down"
    DENIED = "access_denied"
    EXPIRED = "expired_token"
    UNKNOWN = "invalid_grant"


def begin(app: App, scopes: Scopes, now: datetime) -> tuple[str, str]:
    """Return the code of a device, and the one to type, both good for ten minutes. Raises `TooManyDevices`."""
    WaitingDevice.objects.filter(app=app, expires_at__lt=now).delete()
    if app.devices.count() >= MOST_WAITING:
        raise TooManyDevices("too many devices wait for this app; try again in some minutes")
    code, typed = secrets.token_urlsafe(32), "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    hashes = {"digest": _digest(code), "typed_digest": _typed_digest(typed)}
    WaitingDevice.objects.create(app=app, scopes=text_of(scopes), expires_at=now + LASTS, **hashes)
    return code, f"{typed[:4]}-{typed[4:]}"


def find_device(typed: str, now: datetime) -> WaitingDevice:
    """Return the device that shows a code, and that nobody has decided about. Raises `UnknownDevice`."""
    waiting = WaitingDevice.objects.filter(expires_at__gt=now, grant=None, is_denied=False, app__owner__is_active=True)
    found = waiting.filter(typed_digest=_typed_digest(typed)).select_related("app__owner").first()
    if found is None:
        raise UnknownDevice("no device that waits shows this code")
    return found


@transaction.atomic
def decide(device: WaitingDevice, player: Player, now: datetime, *, is_allowed: bool) -> None:
    """Allow the app of a device what it asks for, or deny it. Raises `UnknownDevice` if that was decided meanwhile."""
    waiting = WaitingDevice.objects.select_for_update().filter(pk=device.pk, grant=None, is_denied=False)
    if not waiting.exists():
        raise UnknownDevice("no device that waits shows this code")
    grant = allow(player, device.app, scopes_in(device.scopes), now) if is_allowed else None
    WaitingDevice.objects.filter(pk=device.pk).update(grant=grant, is_denied=not is_allowed)


@transaction.atomic
def poll(code: str, app: App, now: datetime) -> Issued | Waiting:
    """Return the tokens of a device whose player has allowed it, once, or why there are none."""
    waiting = WaitingDevice.objects.select_for_update().filter(digest=_digest(code), app=app).first()
    if waiting is None:
        return Waiting.UNKNOWN
    if waiting.grant is None or waiting.expires_at <= now:
        WaitingDevice.objects.filter(pk=waiting.pk).update(asked_at=now)
        return _reason(waiting, now)
    grant = waiting.grant
    waiting.delete()  # it counts once
    try:
        return issue(grant, scopes_in(waiting.scopes), now)
    except NotExchanged:
        return Waiting.DENIED


def _reason(waiting: WaitingDevice, now: datetime) -> Waiting:
    if waiting.expires_at <= now:
        return Waiting.EXPIRED
    if waiting.is_denied:
        return Waiting.DENIED
    return Waiting.TOO_FAST if waiting.asked_at and now - waiting.asked_at < INTERVAL else Waiting.PENDING


def _digest(code: str) -> str:
    return sha256(code.encode()).hexdigest()


def _typed_digest(typed: str) -> str:
    """Return the hash of a code as people type it: in any case, with or without hyphen and spaces."""
    plain = "".join(letter for letter in typed.upper() if letter in LETTERS)
    return salted_hmac("games.oauth.devices", plain, algorithm="sha256").hexdigest()
