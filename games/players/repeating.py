"""Requests that may be sent again: the answer to one with an `Idempotency-Key` is kept for a day.

What is kept is encrypted with the client's key, of which only a hash is stored: an answer may have a token in it. Only
what was granted is kept; after a refusal or a failure the same key may try again.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec
from cryptography.fernet import Fernet
from django.db import IntegrityError, transaction

from games.players.models import KeptAnswer
from games.players.refusals import BadIdempotencyKey, IdempotencyKeyReused, StillUnderWay

KEPT = timedelta(days=1)
LEASE = timedelta(minutes=1)
"""The time after which the server that began with a request is taken for dead."""
KEY = re.compile(r"[!-~]{16,100}")


class Granted(NamedTuple):
    """An answer as it was sent."""

    status: int
    location: str
    body: bytes


class Repeatable(NamedTuple):
    """A request that has a key: who sends it to which address, and what."""

    key: str
    sender: str
    address: str
    body: bytes

    @property
    def place(self) -> str:
        return hashlib.sha256(f"place|{self._parts}".encode()).hexdigest()

    @property
    def cipher(self) -> Fernet:
        """The cipher of the answer, for which one has to have the key itself."""
        return Fernet(urlsafe_b64encode(hashlib.sha256(f"seal|{self._parts}".encode()).digest()))

    @property
    def _parts(self) -> str:
        return f"{self.sender}|{self.address}|{self.key}"


def begin(asked: Repeatable, now: datetime) -> Granted | None:
    """Return what was answered before, or None if the request is now to be carried out by the caller.

    Raises `BadIdempotencyKey`, `IdempotencyKeyReused` for another request, and `StillUnderWay`.
    """
    if not KEY.fullmatch(asked.key):
        raise BadIdempotencyKey("an Idempotency-Key has 16 to 100 visible ASCII characters, such as a random UUID")
    request = hashlib.sha256(asked.body).hexdigest()
    try:
        with transaction.atomic():
            KeptAnswer.objects.create(place=asked.place, request=request, begun_at=now)
    except IntegrityError:
        return _known(asked, request, now)
    return None


def keep(asked: Repeatable, granted: Granted) -> None:
    """Keep an answer."""
    sealed = asked.cipher.encrypt(msgspec.json.encode(granted))
    KeptAnswer.objects.filter(place=asked.place).update(sealed=sealed)


def give_up(asked: Repeatable) -> None:
    """Forget a request that was not granted."""
    KeptAnswer.objects.filter(place=asked.place, sealed=None).delete()


def forget_kept_answers(now: datetime) -> None:
    KeptAnswer.objects.filter(begun_at__lt=now - KEPT).delete()


def _known(asked: Repeatable, request: str, now: datetime) -> Granted | None:
    kept = KeptAnswer.objects.filter(place=asked.place).first()
    if kept is None:  # given up just now
        raise StillUnderWay("the first request with this key has just failed; send it again")
    if kept.request != request:
        raise IdempotencyKeyReused("this Idempotency-Key came with another body before")
    if kept.sealed is not None:
        return msgspec.json.decode(asked.cipher.decrypt(bytes(kept.sealed)), type=Granted)
    dead = KeptAnswer.objects.filter(place=asked.place, sealed=None, begun_at__lt=now - LEASE)
    if dead.update(begun_at=now):
        return None
    raise StillUnderWay("the first request with this key is still under way")
