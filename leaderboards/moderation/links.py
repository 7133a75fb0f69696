"""Link accounts that may belong to one person: a bot with its owner, others by keyed hashes of what they share.

Wider sharing makes weaker links, as far as others share it whom no suspect can make up at will (`Network.link`).
"""

from collections import ChainMap, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from django.db.models import CharField, Count, Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast, TruncDate

from games.players.models import Player
from games.races.people import Group, Pair
from games.runtime.kept_queries import rows_of
from leaderboards.boards.models import Entry
from leaderboards.judging.links import SAME_DEVICE, Network
from leaderboards.moderation.evidence_models import Trace
from leaderboards.moderation.traces import MARK_LENGTH

OWNER = Trace.Kind.OWNER
LINKED_FROM = 0.25  # a device shared, or an address of at most four accounts with ranked scores
RANKED_DAYS = 3  # an account counts among those of a network once it has ranked scores of so many days

Links = dict[int, float]
Sharing = dict[tuple[str, str], Network[int]]
"""The accounts that share something, by its kind and what it is."""


@dataclass(frozen=True, slots=True)
class LinkedAccount:
    """An account that shares something with another."""

    player: Player
    strength: float
    shares: tuple[str, ...]  # `owner`, `device`, `address`
    network: int  # accounts on the smallest of what they share


def linked_to(player: int) -> Links:
    """Return the strengths of all links of an account, by the other account."""
    return _links([player], _sharing([player])).get(player, {})


def links_between(players: Collection[int], others: Collection[int]) -> dict[int, Links]:
    """Return the strengths of the links of each of some accounts to some others, in as many queries as of one."""
    return _links(players, _sharing(others), others)


def firmly_linked_to(player: int) -> set[int]:
    """Return the accounts that count as one with an account."""
    return {other for other, link in linked_to(player).items() if link >= LINKED_FROM}


def linked_accounts(player: Player) -> list[LinkedAccount]:
    """Return the accounts linked to one, the firmest first, with the kinds of their links."""
    shares: dict[int, set[str]] = defaultdict(set)
    networks: dict[int, int] = {}
    sharing = _sharing([player.pk])
    for (kind, _), network in sharing.items():
        for other in network.since.keys() - {player.pk}:
            shares[other].add(kind)
            networks[other] = min(networks.get(other, len(network.since)), len(network.since))
    links = _links([player.pk], sharing).get(player.pk, {})
    players = Player.objects.in_bulk(links)
    found = [LinkedAccount(players[pk], link, tuple(sorted(shares[pk])), networks[pk]) for pk, link in links.items()]
    return sorted(found, key=lambda linked: (-linked.strength, linked.player.pk))


def firm_pairs(groups: Collection[Group]) -> list[set[Pair]]:
    """Return for each group the pairs that count as one person's, of its accounts with each other and with others."""
    own = {player for players, _ in groups for player in players}
    networks: dict[int, Sharing] = defaultdict(dict)
    for key, network in _sharing(own).items():
        for player in own & network.since.keys():
            networks[player][key] = network
    return [
        _firm(_links(players, dict(ChainMap(*(networks[player] for player in players))), {*players, *others}))
        for players, others in groups
    ]


def _firm(links: Mapping[int, Links]) -> set[Pair]:
    return {
        (min(player, other), max(player, other))
        for player, linked in links.items()
        for other, link in linked.items()
        if link >= LINKED_FROM
    }


def independent(players: Iterable[int]) -> int:
    """Return the number of people behind some accounts: those that share anything, however widely, count as one."""
    own = set(players)
    groups = [{player} for player in own]
    for network in _sharing(list(own)).values():
        together = own & network.since.keys()
        apart = [group for group in groups if not group & together]
        groups = [*apart, together.union(*(group for group in groups if group & together))]
    return len([group for group in groups if group])


def _links(players: Collection[int], sharing: Sharing, others: Collection[int] | None = None) -> dict[int, Links]:
    """Return the firmest link of each account to each other one, or to each of some others."""
    own, found = set(players), defaultdict[int, Links](dict)
    wanted = None if others is None else set(others)
    for (kind, _), network in sharing.items():
        members = network.since.keys()
        linked = members if wanted is None else members & wanted
        for player in own & members:
            links = found[player]
            for other in linked - {player}:
                strength = _strength(kind, network, player, other)
                if strength > links.get(other, 0.0):
                    links[other] = strength
    return found


def _strength(kind: str, network: Network[int], one: int, other: int) -> float:
    """Return the strength of a link; an owner, or a device, links as firmly as can be."""
    strength = network.link(one, other)
    return SAME_DEVICE if strength and kind in {Trace.Kind.DEVICE, OWNER} else strength


def _sharing(players: Collection[int]) -> Sharing:
    """Return all accounts that share a mark or an owner with one of these; owners are among their bots."""
    sharing: Sharing = defaultdict(Network)
    for kind, mark, player, since, is_ranked in rows_of(_shared, [*players]):
        network = sharing[kind, mark]
        network.add(player, since, is_ranked=is_ranked)
        if kind == OWNER and len(mark) < MARK_LENGTH:  # the key of an owner, not the hash of a former one
            network.add(int(mark), since, is_ranked=False)
    return sharing


def _shared(players: Collection[int]) -> QuerySet[Any, Any]:
    """Ask for (kind, mark, account, since when, whether it has ranked scores of several days) of all that is shared."""
    marks = Trace.objects.filter(player__in=players).order_by().values_list("mark", flat=True).distinct()
    owners = Player.objects.filter(Q(pk__in=players) | Q(owner__in=players), owner__isnull=False).values("owner")
    scores = Entry.objects.filter(player=OuterRef("player"), game__daily__isnull=False, listed=True, valid_to=None)
    days = scores.order_by().values("player").annotate(days=Count("game__daily__day", distinct=True))
    traces = Trace.objects.filter(mark__in=marks).order_by().values_list("kind", "mark", "player", "first_seen")
    owned = Player.objects.filter(owner__in=owners).values_list(
        Value(OWNER), Cast("owner", CharField()), "pk", TruncDate("date_joined", tzinfo=UTC), Value(False)
    )
    return traces.annotate(is_ranked=Exists(days.filter(days__gte=RANKED_DAYS))).union(owned, all=True)
