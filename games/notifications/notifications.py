"""Notify players of events that concern them alone. Features register their kinds here, and call `notify`."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, F, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils.functional import Promise

from games.notifications.models import MutedKind, Notification
from games.players.models import Player
from games.runtime.pubsub import pubsub

Facts = Mapping[str, Any]
"""The contents of a notification as JSON: short, since they are stored for every player."""

TOPIC = "notifications"
BATCH = 1000
NEWEST = 20
MOST_KEPT = 500  # for each player


@dataclass(frozen=True)
class NotificationKind:
    """A kind of notification. `code` is permanent, and at most 24 characters long.

    From the facts, `words` makes a sentence for the player in the active language and time zone, and `address` the path
    of a page, or "". `title` names the kind in the settings, where players can switch it off if it is optional.

    A kind that `is_pushed` can reach devices; one that is not listed is only for them. It is of use there until a time,
    and as long as `still_holds` for a player, by primary key. Until that time one that `is_urgent` is also told to
    clients that connect after it came.
    """

    code: str
    title: str | Promise
    words: Callable[[Facts], str]
    address: Callable[[Facts], str] = lambda facts: ""
    is_optional: bool = True
    is_pushed: bool = False
    is_listed: bool = True
    is_urgent: bool = False
    useful_until: Callable[[Facts, datetime], datetime] = lambda facts, at: at + timedelta(days=1)
    still_holds: Callable[[int, Facts, datetime], bool] = lambda player, facts, now: True


class Occasion(NamedTuple):
    """The kind, time and sender of notifications that are made together."""

    kind: NotificationKind
    at: datetime
    sender: Player | None = None


class Addressed(NamedTuple):
    """A notification for one player, given by primary key."""

    player: int
    subject: str
    facts: Facts


# Called with new notifications, in their transaction.
listeners: list[Callable[[Occasion, Sequence[Addressed]], None]] = []

_kinds: dict[str, NotificationKind] = {}


def register(kind: NotificationKind) -> NotificationKind:
    """Make a kind known to this process; call it where a module is imported by every process."""
    _kinds[kind.code] = kind
    return kind


def kinds() -> list[NotificationKind]:
    """Return all kinds, those that cannot be switched off last."""
    return sorted(_kinds.values(), key=lambda kind: (not kind.is_optional, kind.code))


def listed_kinds() -> list[NotificationKind]:
    """Return the kinds that the list of a player's notifications has."""
    return [kind for kind in kinds() if kind.is_listed]


def find_kind(code: str) -> NotificationKind | None:
    """Return the kind of a code, or None if a newer or older version had it."""
    return _kinds.get(code)


def notify(
    kind: NotificationKind, facts: Mapping[int, Facts], subject: str, now: datetime, sender: Player | None = None
) -> None:
    """Notify players, by primary key, each with separate facts.

    If the facts have the name of a player, that is the sender: the notifications are deleted with that account.

    A player gets one notification for a kind and subject (up to 80 characters), however often this is called, and none
    of a kind that is switched off. Call it in the transaction of the event, so that both are stored or neither; sockets
    get a notice after the commit.
    """
    notify_each((Addressed(player, subject, own) for player, own in facts.items()), Occasion(kind, now, sender))


def notify_each(addressed: Iterable[Addressed], occasion: Occasion) -> None:
    """Notify players of different subjects together, as `notify` does of one."""
    rows = iter(addressed)
    while batch := list(islice(rows, BATCH)):
        _notify(batch, occasion)


def tell_sockets(players: Sequence[int]) -> None:
    """Have the sockets of players, by primary key, look for news now instead of minutes later."""
    pubsub().publish(TOPIC, {"players": players})


def notifications_of(player: Player) -> QuerySet[Notification]:
    """Return a player's notifications of known kinds, newest first."""
    return Notification.objects.filter(player=player, kind__in=_kinds).order_by("-pk")


def unread(player: Player) -> int:
    return notifications_of(player).filter(read_at=None).count()


def newest_of(players: Collection[int], most: int = NEWEST) -> dict[int, tuple[list[Notification], int]]:
    """Return the newest notifications of players, by primary key, the newest first, and how many are unread."""
    known = Notification.objects.filter(player__in=players, kind__in=_kinds)
    number = Window(RowNumber(), partition_by="player", order_by=F("pk").desc())
    rows: dict[int, list[Notification]] = {player: [] for player in players}
    for row in known.annotate(number=number).filter(number__lte=most).order_by("-pk"):
        rows[row.player_id].append(row)
    unread = dict(known.filter(read_at=None).order_by().values_list("player").annotate(Count("pk")))
    return {player: (rows[player], unread.get(player, 0)) for player in players}


def mark_read(player: Player, up_to: int, now: datetime, *, only: bool = False) -> None:
    """Mark a player's notifications up to one as read, or only that one, and tell the sockets."""
    _mark_read(player, now, **{"pk" if only else "pk__lte": up_to})


def mark_subject_read(player: Player, subject: str, kinds: Collection[NotificationKind], now: datetime) -> None:
    """Mark what a player has got about a subject as read: the player has done what it asks for."""
    _mark_read(player, now, subject=subject, kind__in=[kind.code for kind in kinds])


def words_of(notification: Notification) -> str:
    return _kinds[notification.kind].words(notification.facts)


def address_of(notification: Notification) -> str:
    """Return the path of the page about a notification, "" if there is none."""
    return _kinds[notification.kind].address(notification.facts)


def is_missed(notification: Notification, at: datetime) -> bool:
    """Return True for an unread notification that a client which connects only now has to tell its player."""
    kind = _kinds[notification.kind]
    is_of_use = at < kind.useful_until(notification.facts, notification.at)
    return kind.is_urgent and notification.read_at is None and is_of_use


def muted_by(player: Player) -> set[str]:
    """Return the codes of the optional kinds that a player has switched off."""
    optional = [kind.code for kind in listed_kinds() if kind.is_optional]
    return set(MutedKind.objects.filter(player=player, kind__in=optional).values_list("kind", flat=True))


@transaction.atomic
def mute(player: Player, codes: Collection[str]) -> None:
    """Switch these kinds off, and all others on."""
    MutedKind.objects.filter(player=player).exclude(kind__in=codes).delete()
    MutedKind.objects.bulk_create([MutedKind(player=player, kind=code) for code in codes], ignore_conflicts=True)


def forget_old_notifications(now: datetime) -> int:
    """Delete notifications older than `Notification.DAYS_KEPT` or beyond a player's newest 500; return how many."""
    old = Notification.objects.filter(at__lt=now - timedelta(days=Notification.DAYS_KEPT))
    number = Window(RowNumber(), partition_by="player", order_by=F("pk").desc())
    many = Notification.objects.annotate(number=number).filter(number__gt=MOST_KEPT).values_list("pk", flat=True)
    deleted = old.delete()[0]
    for batch in _batches(list(many)):
        deleted += Notification.objects.filter(pk__in=batch).delete()[0]
    return deleted


def _notify(addressed: Sequence[Addressed], occasion: Occasion) -> None:
    new = _without_known(addressed, occasion.kind)
    Notification.objects.bulk_create(
        [
            Notification(
                player_id=each.player,
                sender=occasion.sender,
                kind=occasion.kind.code,
                subject=each.subject,
                facts=dict(each.facts),
                at=occasion.at,
            )
            for each in new
        ],
        ignore_conflicts=True,
    )
    for tell in listeners:
        tell(occasion, new)
    if new:
        transaction.on_commit(partial(tell_sockets, [each.player for each in new]), robust=True)


def _without_known(addressed: Sequence[Addressed], kind: NotificationKind) -> list[Addressed]:
    """Return what players have not been notified of, and have not switched off."""
    players, subjects = {each.player for each in addressed}, {each.subject for each in addressed}
    stored = Notification.objects.filter(player__in=players, kind=kind.code, subject__in=subjects)
    known = set(stored.values_list("player", "subject"))
    muted: set[int] = set()
    if kind.is_optional:
        muted.update(MutedKind.objects.filter(player__in=players, kind=kind.code).values_list("player", flat=True))
    return [each for each in addressed if each.player not in muted and (each.player, each.subject) not in known]


def _mark_read(player: Player, now: datetime, **which: Any) -> None:
    if notifications_of(player).filter(read_at=None, **which).update(read_at=now):
        transaction.on_commit(partial(tell_sockets, [player.pk]), robust=True)


def _batches(keys: list[int]) -> Iterator[list[int]]:
    for first in range(0, len(keys), BATCH):
        yield keys[first : first + BATCH]
