"""The results of cups as everyone may know them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery

from games.cups.models import Cup, CupEntry
from games.players.models import Player
from leaderboards.boards.models import UNRANKED, Decision
from leaderboards.cups.models import CupResult

MEDALS = {1: "gold", 2: "silver", 3: "bronze"}
MOST = 100


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
    of_entry = {"racer__race__cup_match__cup": OuterRef("entry__cup"), "player": OuterRef("entry__player")}
    later = Decision.objects.filter(game=OuterRef("game"), pk__gt=OuterRef("pk"))
    fallen = Decision.objects.filter(
        ~Exists(later), state__in=UNRANKED, **{f"game__{k}": v for k, v in of_entry.items()}
    )
    return CupResult.objects.filter(~Exists(fallen), points__isnull=False, entry__player__banned_at=None)


def results_of(player: Player, most: int = MOST) -> Sequence[KnownResult]:
    """Return a player's places in cups of the programme that are over, the newest first."""
    division = CupEntry.objects.filter(cup=OuterRef("cup"), division=OuterRef("division")).order_by()
    entries = CupEntry.objects.filter(player=player, cup__end=Cup.End.COMPLETED, cup__code="").annotate(
        entrants=Subquery(division.values("division").annotate(count=Count("pk")).values("count")),
        points=Subquery(standing_results().filter(entry=OuterRef("pk")).values("points")),
    )
    newest = entries.select_related("cup").order_by(F("cup__ended_at").desc(), "-pk")[:most]
    return [KnownResult(entry, entry.entrants, entry.points) for entry in newest]
