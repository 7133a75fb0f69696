"""Link accounts that may belong to one person: a bot with its owner, others by keyed hashes of what they share.

Wider sharing makes weaker links.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import CharField, Q, Value
from django.db.models.functions import Cast
from django.utils.crypto import salted_hmac

from games.players.models import Player
from games.runtime.addresses import UNKNOWN
from leaderboards.judging.links import network_of, strengths
from leaderboards.moderation.evidence_models import Trace

_SALT = "leaderboards.trace"
MARK_LENGTH = 32
OWNER = "owner"
LINKED_FROM = 0.25  # a device shared, or an address of at most four accounts

Links = dict[tuple[int, int], float]
Sharing = dict[tuple[str, str], set[int]]
"""The accounts that share something, by its kind and what it is."""


@dataclass(frozen=True, slots=True)
class LinkedAccount:
    """An account that shares something with another."""

    player: Player
    strength: float
    shares: tuple[str, ...]  # `owner`, `device`, `address`
    network: int  # accounts on the smallest of what they share


def remember(player: int, address: str, device: str, now: datetime) -> None:
    """Store the address and device of an account as hashes that only this server can compute.

    Nothing is stored of an account that has been closed meanwhile.
    """
    values = {Trace.Kind.ADDRESS: "" if address == UNKNOWN else network_of(address), Trace.Kind.DEVICE: device}
    today = now.date()
    with transaction.atomic():
        if Player.objects.select_for_update(no_key=True).filter(pk=player, is_active=True).exists():
            Trace.objects.bulk_create(
                [
                    Trace(player_id=player, kind=kind, mark=mark_of(kind, value), first_seen=today, last_seen=today)
                    for kind, value in values.items()
                    if value
                ],
                update_conflicts=True,
                unique_fields=["player", "kind", "mark"],
                update_fields=["last_seen"],
            )


def mark_of(kind: str, value: str) -> str:
    """Return the keyed hash of an address or a device mark."""
    return salted_hmac(f"{_SALT}.{kind}", value, algorithm="sha256").hexdigest()[:MARK_LENGTH]


def forget_old_traces(now: datetime) -> int:
    """Delete traces not seen for `PYRAMID_TRACE_DAYS`, and return the number of rows."""
    oldest = now.date() - timedelta(days=settings.PYRAMID_TRACE_DAYS)
    deleted: int = Trace.objects.filter(last_seen__lt=oldest).delete()[0]
    return deleted


def linked_to(player: int) -> dict[int, float]:
    """Return the strengths of all links of an account, by the other account."""
    return _links_of(player, _sharing([player]))


def _links_of(player: int, sharing: Sharing) -> dict[int, float]:
    found = _strengths(sharing)
    return {one if other == player else other: link for (one, other), link in found.items() if player in (one, other)}


def _strengths(sharing: Sharing) -> Links:
    """Return the strengths of all links; an owner links as firmly as a device."""
    firm = [own for (kind, _), own in sharing.items() if kind != Trace.Kind.ADDRESS]
    networks = [own for (kind, _), own in sharing.items() if kind == Trace.Kind.ADDRESS]
    return strengths(firm, networks)


def firmly_linked_to(player: int) -> set[int]:
    """Return the accounts that count as one with an account: reports count once, nobody moderates the other."""
    return {other for other, link in linked_to(player).items() if link >= LINKED_FROM}


def linked_accounts(player: Player) -> list[LinkedAccount]:
    """Return the accounts linked to one, the firmest first, with the kinds of their links."""
    shares: dict[int, set[str]] = defaultdict(set)
    networks: dict[int, int] = {}
    sharing = _sharing([player.pk])
    for (kind, _), own in sharing.items():
        for other in own - {player.pk}:
            shares[other].add(kind)
            networks[other] = min(networks.get(other, len(own)), len(own))
    links = _links_of(player.pk, sharing)
    players = Player.objects.in_bulk(links)
    found = [LinkedAccount(players[pk], link, tuple(sorted(shares[pk])), networks[pk]) for pk, link in links.items()]
    return sorted(found, key=lambda linked: (-linked.strength, linked.player.pk))


def independent(players: Iterable[int]) -> int:
    """Return the number of people behind some accounts: firmly linked accounts count as one."""
    groups = {player: {player} for player in players}
    for (one, other), link in _strengths(_sharing(list(groups))).items():
        if link >= LINKED_FROM and one in groups and other in groups and groups[one] is not groups[other]:
            groups[one] |= groups[other]
            for member in groups[other]:
                groups[member] = groups[one]
    return len({id(group) for group in groups.values()})


def _sharing(players: Collection[int]) -> Sharing:
    """Return all accounts that share a mark or an owner with one of these; owners are among their bots."""
    marks = Trace.objects.filter(player__in=players).order_by().values_list("mark", flat=True).distinct()
    owners = Player.objects.filter(Q(pk__in=players) | Q(owner__in=players), owner__isnull=False).values("owner")
    traces = Trace.objects.filter(mark__in=marks).order_by().values_list("kind", "mark", "player")
    bots = Player.objects.filter(owner__in=owners).values_list(Value(OWNER), Cast("owner", CharField()), "pk")
    sharing: Sharing = defaultdict(set)
    for kind, mark, player in traces.union(bots, all=True):
        sharing[kind, mark] |= {player, int(mark)} if kind == OWNER else {player}
    return sharing
