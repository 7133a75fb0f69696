"""The results of cups as everyone may know them."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery

from games.cups.models import Cup, CupEntry, CupSeat
from games.players.models import Player
from leaderboards.boards.models import UNRANKED, Decision
from leaderboards.cups.models import CupResult

MEDALS = {1: "gold", 2: "silver", 3: "bronze"}
MOST = 100


class CupCareer(NamedTuple):
    """A cup in the career of a player; a final that is the first match of its division does not count as one."""

    division: int
    place: int
    is_in_final: bool

    @property
    def is_won(self) -> bool:
        return (self.division, self.place) == (1, 1)

    @property
    def is_finalist(self) -> bool:
        return self.division == 1 and self.is_in_final


@dataclass(frozen=True)
class KnownResult:
    """A player's place in a cup that is over; the points are None for a result that does not count."""

    entry: CupEntry
    entrants: int
    points: int | None

    @property
    def medal(self) -> str | None:
        """The medal of the first three of the first division."""
        is_honoured = self.points is not None and self.entry.division == 1
        return MEDALS.get(self.entry.place or 0) if is_honoured else None


def standing_results() -> QuerySet[CupResult]:
    """Return the results that count: not those of banned players, nor those with a game that was disqualified."""
    later = Decision.objects.filter(game=OuterRef("game"), pk__gt=OuterRef("pk"))
    fallen = Decision.objects.filter(
        ~Exists(later),
        state__in=UNRANKED,
        game__player=OuterRef("entry__player"),
        game__racer__race__cup_match__cup=OuterRef("entry__cup"),
    )
    return CupResult.objects.filter(~Exists(fallen), points__isnull=False, entry__player__banned_at=None)


def medals_of(cup: Cup) -> dict[int, str]:
    """Return the medals of a cup by entry, as on profiles."""
    honoured = standing_results().filter(
        entry__cup=cup, entry__cup__code="", entry__division=1, entry__place__in=MEDALS
    )
    return {entry: MEDALS[place or 0] for entry, place in honoured.values_list("entry", "entry__place")}


def careers_in_cups(players: Collection[int]) -> dict[int, list[CupCareer]]:
    """Return what players reached in the cups that count, by player; those without any are missing."""
    of_division = CupSeat.objects.filter(
        match__cup=OuterRef("entry__cup"), match__division=OuterRef("entry__division"), match__round__gt=0
    ).order_by("-match__round")
    final = Subquery(of_division.values("match")[:1])
    reached = CupSeat.objects.filter(entry=OuterRef("entry"), match=OuterRef("final"))
    results = standing_results().filter(entry__player__in=players).annotate(final=final, is_in_final=Exists(reached))
    careers: dict[int, list[CupCareer]] = defaultdict(list)
    fields = ("entry__player", "entry__division", "entry__place", "is_in_final")
    for player, division, place, is_in_final in results.order_by().values_list(*fields):
        careers[player].append(CupCareer(division, place or 0, is_in_final))
    return careers


def results_of(player: Player, most: int = MOST) -> Sequence[KnownResult]:
    """Return a player's places in cups of the programme that are over, the newest first."""
    division = CupEntry.objects.filter(cup=OuterRef("cup"), division=OuterRef("division")).order_by()
    entries = CupEntry.objects.filter(player=player, cup__end=Cup.End.COMPLETED, cup__code="").annotate(
        entrants=Subquery(division.values("division").annotate(count=Count("pk")).values("count")),
        points=Subquery(standing_results().filter(entry=OuterRef("pk")).values("points")),
    )
    newest = entries.select_related("cup").order_by(F("cup__ended_at").desc(), "-pk")[:most]
    return [KnownResult(entry, entry.entrants, entry.points) for entry in newest]
