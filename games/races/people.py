"""The people behind racers: accounts that may belong to one person count as one for others, and guests as nobody."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence

from games.players.models import Player
from games.races.models import Racer

Pair = tuple[int, int]

linkers: list[Callable[[Collection[int]], Iterable[Pair]]] = []
"""Functions that return the pairs, among some accounts, that may belong to one person."""


def mark_rivals(racers: Sequence[Racer]) -> None:
    """Set who of the racers is rated, and with whom the others are compared; they have their results and players.

    Guests are neither. Of each person it is the best placed account that moved, so whatever a person does with a second
    account changes nobody's rating. It is decided when the race ends, and stored: links are forgotten after a while.
    """
    rated = [racer for racer in racers if not racer.player.is_guest]
    person = persons_of([racer.player for racer in rated])
    taken: set[int] = set()
    for racer in sorted(rated, key=lambda racer: (racer.place or 0, racer.pk)):
        racer.is_rated = True
        racer.is_rival = bool(racer.moves) and person[racer.player_id] not in taken
        if racer.is_rival:
            taken.add(person[racer.player_id])


def persons_of(players: Collection[Player]) -> dict[int, int]:
    """Return one account for all of the same person, by account; a bot is its owner."""
    owners = {player.pk: player.owner_id or player.pk for player in players}
    groups: dict[int, set[int]] = defaultdict(set)
    for owner in owners.values():
        groups[owner] = {owner}
    for one, other in (pair for link in linkers for pair in link(list(groups))):
        groups[one] |= groups[other]
        for member in groups[other]:
            groups[member] = groups[one]
    return {player: min(groups[owner]) for player, owner in owners.items()}
