"""The results of cups as everyone may know them."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from django.core import signing
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from games.cups.models import Cup, CupEntry, CupSeat
from games.players.models import Player
from games.runtime.kept_queries import rows_of
from leaderboards.boards.models import Decision, EntryState
from leaderboards.boards.refusals import BadCursor
from leaderboards.cups.models import CupResult

MEDALS = {1: "gold", 2: "silver", 3: "bronze"}


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
        state=EntryState.DISQUALIFIED,
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
    careers: dict[int, list[CupCareer]] = defaultdict(list)
    for player, division, place, is_in_final in rows_of(_careers, [*players]):
        careers[player].append(CupCareer(division, place or 0, is_in_final))
    return careers


def _careers(players: Collection[int]) -> QuerySet[CupResult, tuple[Any, ...]]:
    of_division = CupSeat.objects.filter(
        match__cup=OuterRef("entry__cup"), match__division=OuterRef("entry__division"), match__round__gt=0
    ).order_by("-match__round")
    final = Subquery(of_division.values("match")[:1])
    # Where all of both matches before it forfeited, the last round has two matches, and none of them is the final.
    last = Subquery(of_division.values("match__round")[:1])
    beside = of_division.filter(match__round=OuterRef("last")).exclude(match=OuterRef("final"))
    reached = CupSeat.objects.filter(entry=OuterRef("entry"), match=OuterRef("final"))
    results = standing_results().filter(entry__player__in=players).annotate(final=final, last=last)
    results = results.annotate(is_in_final=Exists(reached) & ~Exists(beside))
    return results.order_by().values_list("entry__player", "entry__division", "entry__place", "is_in_final")


class Results(NamedTuple):
    """Consecutive places of a player, the newest first, and the cursor of the older ones."""

    places: Sequence[KnownResult]
    next: str | None


def results_of(player: Player, most: int, cursor: str | None = None) -> Results:
    """Return a player's places in cups of the programme that are over, or those after a cursor. Raises `BadCursor`."""
    division = CupEntry.objects.filter(cup=OuterRef("cup"), division=OuterRef("division")).order_by()
    entries = CupEntry.objects.filter(player=player, cup__end=Cup.End.COMPLETED, cup__code="").annotate(
        entrants=Subquery(division.values("division").annotate(count=Count("pk")).values("count")),
        points=Subquery(standing_results().filter(entry=OuterRef("pk")).values("points")),
    )
    older = entries.filter(_after(cursor, player)) if cursor else entries
    newest = list(older.select_related("cup").order_by(F("cup__ended_at").desc(), "-pk")[: most + 1])
    shown = [KnownResult(entry, entry.entrants, entry.points) for entry in newest[:most]]
    return Results(shown, _cursor_after(shown[-1].entry) if len(newest) > most else None)


def _cursor_after(entry: CupEntry) -> str:
    assert entry.cup.ended_at is not None  # noqa: S101  results are of cups that are over
    return _cursors().sign_object([entry.player_id, entry.cup.ended_at.isoformat(), entry.pk], compress=True)


def _after(cursor: str, player: Player) -> Q:
    """Return what holds for entries after a cursor. Raises `BadCursor`."""
    try:
        owner, ended_at, entry = _cursors().unsign_object(cursor)
    except signing.BadSignature as error:
        raise BadCursor("this cursor was not made here") from error
    if owner != player.pk:
        raise BadCursor("this cursor is one of another player")
    at = datetime.fromisoformat(ended_at)
    return Q(cup__ended_at__lt=at) | Q(cup__ended_at=at, pk__lt=entry)


@cache
def _cursors() -> signing.Signer:
    return signing.Signer(salt="leaderboards.cups.results")
