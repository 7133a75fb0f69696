"""Devices on which a player gets notifications: add one, choose what arrives there, remove it."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import get_language

from games.notifications.notifications import NotificationKind, kinds
from games.players.models import Player
from games.push.encryption import AUTH_BYTES, decoded, encoded, read_point, server_key
from games.push.models import Subscription, WantedKind
from games.push.quiet_hours import keep_quiet_at_night
from games.push.refusals import SubscriptionTaken, TooManySubscriptions
from games.runtime.limits import Hit, count

MOST_SUBSCRIPTIONS = 10


class Keys(NamedTuple):
    """The address of a browser at its push service, and its keys."""

    endpoint: str
    p256dh: str
    auth: str


def kinds_to_push() -> list[NotificationKind]:
    """Return the kinds of notifications that devices can get."""
    return [kind for kind in kinds() if kind.is_pushed]


def subscriptions_of(player: Player) -> QuerySet[Subscription]:
    """Return a player's devices in the order in which they were added, with what is wanted on each."""
    return Subscription.objects.filter(player=player).prefetch_related("wanted").order_by("pk")


def mistake_in_endpoint(endpoint: str) -> str | None:
    """Return what is wrong with the address of a push service, or None.

    Only known services are sent to: a stranger who could name any address would have this server knock there.
    """
    try:
        parts = urlsplit(endpoint)
        is_plain = parts.scheme == "https" and parts.port in {None, 443} and "@" not in parts.netloc
    except ValueError:
        return "this is not an address"
    if not (is_plain and endpoint.isascii() and endpoint.isprintable() and " " not in endpoint):
        return "a push service has an address that begins with https://"
    host = f".{parts.hostname}"
    if not any(host.endswith(f".{service}") for service in settings.PYRAMID_PUSH_SERVICES):
        return "this is not the address of a push service that this server knows"
    return None


def mistake_in_keys(p256dh: str, auth: str) -> str | None:
    """Return what is wrong with the keys of a browser, or None."""
    try:
        read_point(decoded(p256dh))
        is_valid = len(decoded(auth)) == AUTH_BYTES
    except ValueError:
        is_valid = False
    return None if is_valid else "these are not the keys of a browser"


def subscribe(player: Player, keys: Keys, wanted: Collection[str], time_zone: str, now: datetime) -> Subscription:
    """Add a device with the kinds of notifications that are wanted there, or choose others.

    A device that changes hands shows its keys, which only its browser knows. Raises `SubscriptionTaken`,
    `TooManySubscriptions` or `Throttled`.
    """
    count(Hit("push_subscriptions", str(player.pk)))
    try:
        with transaction.atomic():
            Player.objects.select_for_update(no_key=True).get(pk=player.pk)  # two additions count one after the other
            subscription = _stored(player, keys, now)
            _choose(subscription, wanted)
            keep_quiet_at_night(player, time_zone)
    except IntegrityError as error:  # another player added it at the same moment
        raise SubscriptionTaken("this endpoint is that of another player's device") from error
    return subscription


def unsubscribe(player: Player, pk: int) -> None:
    """Remove a device of a player. Idempotent."""
    Subscription.objects.filter(player=player, pk=pk).delete()


def _stored(player: Player, keys: Keys, now: datetime) -> Subscription:
    p256dh, auth = (encoded(decoded(text)) for text in (keys.p256dh, keys.auth))
    there_is = Subscription.objects.filter(endpoint=keys.endpoint).first()
    if there_is is not None and there_is.player_id != player.pk:
        if (there_is.p256dh, there_is.auth) != (p256dh, auth):
            raise SubscriptionTaken("this endpoint is that of another player's device")
        there_is.delete()  # with what was on its way to the other player
        there_is = None
    if there_is is None and subscriptions_of(player).count() >= MOST_SUBSCRIPTIONS:
        raise TooManySubscriptions(f"you get notifications on {MOST_SUBSCRIPTIONS} devices; remove one first")
    fresh = {"p256dh": p256dh, "auth": auth, "server_key": server_key(), "language": get_language() or "en"}
    return Subscription.objects.update_or_create(
        player=player, endpoint=keys.endpoint, defaults=fresh, create_defaults={**fresh, "created_at": now}
    )[0]


def _choose(subscription: Subscription, wanted: Collection[str]) -> None:
    subscription.wanted.exclude(kind__in=wanted).delete()
    rows = [WantedKind(subscription=subscription, kind=kind) for kind in wanted]
    WantedKind.objects.bulk_create(rows, ignore_conflicts=True)
