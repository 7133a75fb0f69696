"""The people behind racers: accounts that may belong to one person count as one for others, and guests as nobody."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import chain

from games.players.models import Player
from games.races.models import Racer
from games.races.strength import FEWEST_MOVED, FEWEST_RATED

Pair = tuple[int, int]
Group = tuple[Collection[int], Collection[int]]
"""Some accounts, and others."""
SAME_DAYS = timedelta(days=7)
"""For which those whom somebody has met count as met."""

linkers: list[Callable[[Sequence[Group]], Sequence[Iterable[Pair]]]] = []
"""Functions that return for each group the pairs, of its accounts with each other and with the others, that may be one
person's."""


def mark_rivals(races: Iterable[Sequence[Racer]], at: datetime) -> None:
    """Set who of the racers of races is rated, and with whom the others of the race are compared.

    They have their results and players. Guests are neither. Of each person it is the best placed account that moved, so
    whatever a person does with a second account changes nobody's rating. Who never moved counts only for whether there
    are enough: else somebody could wait, and have a race rated by moving at last, or not. It is decided when the race
    ends, and stored: links are forgotten after a while.
    """
    claimed = [[racer for racer in racers if not racer.player.is_guest] for racers in races]
    met = _met({racer.player_id for racers in claimed for racer in racers}, at)
    known = [{who: person for racer in racers for who, person in met[racer.player_id]} for racers in claimed]
    persons = _persons_of_each([[racer.player for racer in racers] for racers in claimed], known)
    for racers, person in zip(claimed, persons, strict=True):
        _mark(racers, person)


def _mark(claimed: Iterable[Racer], person: Mapping[int, int]) -> None:
    for racer in claimed:
        racer.person = person[racer.player_id]
    for is_bot in (False, True):
        group = [racer for racer in claimed if racer.player.is_bot is is_bot]
        best: dict[int | None, Racer] = {}
        for racer in sorted(group, key=lambda racer: (racer.place or 0, racer.pk)):
            if racer.moves:
                best.setdefault(racer.person, racer)
        if len({racer.person for racer in group}) < FEWEST_RATED or len(best) < FEWEST_MOVED:
            continue
        for racer in group:
            racer.is_rated, racer.is_rival = True, racer in best.values()


def persons_of(players: Collection[Player]) -> dict[int, int]:
    """Return a number for all accounts of the same person, by account; a bot is its owner."""
    [persons] = _persons_of_each([players], [{}])
    return persons


def _persons_of_each(
    groups: Iterable[Collection[Player]], known: Sequence[Mapping[int, int]]
) -> Iterator[dict[int, int]]:
    """Yield what `persons_of` returns for each group of players.

    The number is the one that an account of the person is `known` by, if there is one.
    """
    owners = [{player.pk: player.owner_id or player.pk for player in players} for players in groups]
    asked = [(set(own.values()), of_group.keys()) for own, of_group in zip(owners, known, strict=True)]
    found = [link(asked) for link in linkers]
    for own, of_group, *pairs in zip(owners, known, *found, strict=True):
        yield _persons(own, of_group, chain.from_iterable(pairs))


def _persons(owners: Mapping[int, int], known: Mapping[int, int], linked: Iterable[Pair]) -> dict[int, int]:
    groups: dict[int, set[int]] = {owner: {owner} for owner in (*owners.values(), *known)}
    for one, other in linked:
        groups[one] |= groups[other]
        for member in groups[other]:
            groups[member] = groups[one]
    return {player: min(known.get(member, member) for member in groups[owner]) for player, owner in owners.items()}


def _met(players: Collection[int], at: datetime) -> Mapping[int, Sequence[Pair]]:
    """Return for each of some accounts those whom it has met in rated races of the last days, each with its person.

    They are known by them when they come again with new accounts from the same networks; a bot is its owner.
    """
    recent = {"race__is_public": True, "race__ended_at__gt": at - SAME_DAYS}
    racers = Racer.objects.filter(race__racers__player__in=players, **recent).order_by()
    rows = racers.values_list("race__racers__player", "player", "player__owner", "person").distinct()
    met: dict[int, list[Pair]] = defaultdict(list)
    for player, other, owner, person in rows:
        if person is not None:
            met[player].append((owner or other, person))
    return met
