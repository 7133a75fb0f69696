"""The people behind racers: accounts that may belong to one person count as one for others, and guests as nobody."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from games.players.models import Player
from games.races.models import Race, Racer
from games.races.strength import FEWEST_MOVED, FEWEST_RATED

Pair = tuple[int, int]
SAME_DAYS = timedelta(days=7)
"""For which those whom somebody has met count as met."""

linkers: list[Callable[[Collection[int], Collection[int]], Iterable[Pair]]] = []
"""Functions that return the pairs, of some accounts with each other and with others, that may be one person's."""


def mark_rivals(racers: Sequence[Racer], at: datetime) -> None:
    """Set who of the racers is rated, and with whom the others are compared; they have their results and players.

    Guests are neither. Of each person it is the best placed account that moved, so whatever a person does with a second
    account changes nobody's rating. Who never moved counts only for whether there are enough: else somebody could wait,
    and have a race rated by moving at last, or not. It is decided when the race ends, and stored: links are forgotten
    after a while.
    """
    claimed = [racer for racer in racers if not racer.player.is_guest]
    person = persons_of([racer.player for racer in claimed], _met([racer.player_id for racer in claimed], at))
    for is_bot in (False, True):
        group = [racer for racer in claimed if racer.player.is_bot is is_bot]
        best: dict[int, Racer] = {}
        for racer in sorted(group, key=lambda racer: (racer.place or 0, racer.pk)):
            racer.person = person[racer.player_id]
            if racer.moves:
                best.setdefault(racer.person, racer)
        if len({racer.person for racer in group}) < FEWEST_RATED or len(best) < FEWEST_MOVED:
            continue
        for racer in group:
            racer.is_rated, racer.is_rival = True, racer in best.values()


def persons_of(players: Collection[Player], known: Mapping[int, int]) -> dict[int, int]:
    """Return a number for all accounts of the same person, by account; a bot is its owner.

    It is the one that an account of the person is `known` by, if there is one.
    """
    owners = {player.pk: player.owner_id or player.pk for player in players}
    groups: dict[int, set[int]] = defaultdict(set)
    for owner in (*owners.values(), *known):
        groups[owner] = {owner}
    for one, other in (pair for link in linkers for pair in link(set(owners.values()), known.keys())):
        groups[one] |= groups[other]
        for member in groups[other]:
            groups[member] = groups[one]
    return {player: min(known.get(member, member) for member in groups[owner]) for player, owner in owners.items()}


def _met(players: Collection[int], at: datetime) -> dict[int, int]:
    """Return the persons whom some accounts have met in rated races of the last days, by account, bots by owner.

    They are known by them when they come again with new accounts from the same networks.
    """
    races = Race.objects.filter(racers__player__in=players, is_public=True, ended_at__gt=at - SAME_DAYS)
    racers = Racer.objects.filter(race__in=races, person__isnull=False).order_by()
    rows = racers.values_list("player", "player__owner", "person").distinct()
    return {owner or player: person for player, owner, person in rows if person is not None}
