"""Cups as anyone may know them: of a match that is running only how many cards each has left."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count, Q, QuerySet

from games.cups import swiss
from games.cups.finding import find_cup, require_seen
from games.cups.models import Cup, CupEntry, CupMatch, CupSeat, CupSignup
from games.cups.refusals import UnknownCup
from games.cups.rounds import results_of
from games.play.models import Game
from games.players.models import Player
from games.races.circles import circles_of
from games.races.models import Race, Racer
from games.races.reading import KnownRace, know_races
from games.runtime.memory import Memory
from games.runtime.snapshots import snapshot

TOPIC = "cups"
MOST_PAST = 20
MOST_KEPT = 100
SHOWN_FOR = 2.0
"""Seconds for which everyone sees the same of a cup, although cards are removed: many watch it."""


@dataclass(frozen=True)
class KnownSeat:
    """A seat with the racer, if there is a race, and the cards that the racer has left, once it has begun."""

    seat: CupSeat
    racer: Racer | None
    cards_left: int | None


@dataclass(frozen=True)
class KnownMatch:
    """A match with its seats: those ahead first."""

    match: CupMatch
    seats: Sequence[KnownSeat]


@dataclass(frozen=True)
class KnownCup:
    """A cup with one of its divisions: its rounds, and its entrants by place and seed, or who signed up until then."""

    cup: Cup
    entrants: int
    divisions: int
    division: int
    rounds: Sequence[Sequence[KnownMatch]]
    entries: Sequence[CupEntry]
    signups: Sequence[CupSignup]
    points: Mapping[int, int]
    """Of a Swiss tournament, by seed."""

    def points_of(self, entry: CupEntry) -> int | None:
        """Return the points of an entrant; None in knockout."""
        return self.points.get(entry.seed, 0) if self.cup.is_swiss else None

    def has(self, reader: Player | None) -> bool:
        """Return True for those who may know the letters: the organiser, who signed up, and members of the circle."""
        return bool(self.cup.circle) or (
            reader is not None and reader.pk in {self.cup.host_id, *(signup.player_id for signup in self.signups)}
        )

    def race_of(self, reader: Player | None) -> str | None:
        """Return the race that the reader has to play now, None if there is none."""
        if self.cup.ended_at is not None:  # a cup that is cancelled leaves matches undecided
            return None
        playing = (one for matches in self.rounds for one in matches if one.match.race_id and not one.match.decided_at)
        for one in playing:
            if reader is not None and any(known.seat.entry.player_id == reader.pk for known in one.seats):
                return one.match.race_id
        return None


medals: list[Callable[[Cup], dict[int, str]]] = []
"""Functions that return the medals of a cup that was completed, by entry; all are of its first division."""


def medals_of(cup: Cup) -> dict[int, str]:
    """Return the medals of a cup by entry: none before it is over."""
    found = [find(cup) for find in medals] if cup.end == Cup.End.COMPLETED else []
    return {entry: medal for each in found for entry, medal in each.items()}


def game_in(race_id: str, player: Player) -> Game | None:
    """Return a player's game in a race, None before its start."""
    return Game.objects.filter(racer__race=race_id, racer__player=player).first()


def current_cups() -> list[Cup]:
    """Return the cups of the programme that are announced or on their way, the next first."""
    return list(_of_programme().filter(ended_at=None).order_by("opens_at", "pk"))


def past_cups() -> list[Cup]:
    """Return the cups of the programme that were over last."""
    return list(_of_programme().exclude(ended_at=None).order_by("-ended_at", "-pk")[:MOST_PAST])


def tournaments_of(player: Player) -> list[Cup]:
    """Return the tournaments by hand that a player organises, signed up for or sees, the last to begin first."""
    entered = Q(host=player) | Q(pk__in=player.cup_signups.filter(removed_at=None).values("cup"))
    seen = Q(circle__in=[circle.id for circle in circles_of(player)])
    found = Cup.objects.filter(seen | entered & Q(circle="")).exclude(code="").select_related("qualification", "host")
    return list(found.order_by("-opens_at", "pk")[:MOST_PAST])


def tournaments_in(circle_id: str) -> list[Cup]:
    """Return the tournaments of a circle that are not over, the next to begin first."""
    return list(Cup.objects.filter(circle=circle_id, ended_at=None).order_by("opens_at", "pk"))


def _of_programme() -> QuerySet[Cup]:
    return Cup.objects.filter(code="").select_related("qualification", "host")


_known: Memory[KnownCup] = Memory(TOPIC, MOST_KEPT, seconds_of=lambda known: SHOWN_FOR)


def read_cup(cup_id: str, division: int, reader: Player | None = None) -> KnownCup:
    """Return a cup with one of its divisions, as it was at most two seconds ago, if its reader may see it.

    Raises `UnknownCup`.
    """
    known = know_cup(cup_id, division)
    require_seen(known.cup, reader)
    return known


def know_cup(cup_id: str, division: int) -> KnownCup:
    """Return a cup for readers who may see it. Raises `UnknownCup`."""
    known = _known.get(f"{cup_id} {division}", lambda: _read_whole(cup_id, division), lambda known: known.cup.pk)
    assert known is not None  # noqa: S101  otherwise it raises
    return known


def forget_cup(cup_id: str) -> None:
    """Let everyone see a step of a cup at once."""
    _known.forget(cup_id)


def _read_whole(cup_id: str, division: int) -> KnownCup:
    """Read a cup as it was at one moment: a step in between would leave a bracket that never was."""
    with snapshot():
        return _read_cup(cup_id, division)


def _read_cup(cup_id: str, division: int) -> KnownCup:
    cup = find_cup(cup_id)
    sizes = dict(cup.entries.order_by("division").values_list("division").annotate(Count("pk")))
    if division != 1 and division not in sizes:
        raise UnknownCup(f"this cup has no division {division}")
    signups = list(cup.signups.filter(removed_at=None).select_related("player"))
    qualifying = cup.qualification.racers.count() if cup.qualification else len(signups)
    found = cup.matches.filter(division=division).prefetch_related("seats__entry__player").select_related("race")
    matches = list(found)
    scores = swiss.points(results_of(matches)) if cup.is_swiss else {}
    races = know_races([match.race_id for match in matches if match.race_id], {})
    rounds = [
        [_know(match, races.get(match.race_id or "")) for match in part]
        for _, part in groupby(matches, key=lambda match: match.round)
    ]
    return KnownCup(
        cup,
        sum(sizes.values()) or qualifying,
        len(sizes),
        division,
        rounds,
        _entries(cup, division, matches),
        signups,
        scores,
    )


def _entries(cup: Cup, division: int, matches: Sequence[CupMatch]) -> list[CupEntry]:
    """Return the entrants of a division by place; before it is over by seed, or by their standing in Swiss."""
    order = swiss.standing(results_of(matches)) if cup.is_swiss else []
    rank = {seed: number for number, seed in enumerate(order, 1)}
    entries = cup.entries.filter(division=division).select_related("player")
    return sorted(entries, key=lambda entry: (entry.place or 0, rank.get(entry.seed, 0), entry.seed))


def entry_of(cup: Cup, reader: Player | None) -> Racer | None:
    """Return the reader's attempt in the qualification, or None."""
    if reader is None or cup.qualification is None:
        return None
    return cup.qualification.racers.filter(player=reader).first()


def cup_of(game: Game) -> str | None:
    """Return the cup that a game is the attempt to qualify for, None if for none."""
    if not hasattr(game, "racer") or game.racer.race.entry != Race.Entry.ROLLING:
        return None
    return str(Cup.objects.values_list("pk", flat=True).get(qualification=game.racer.race_id))


def _know(match: CupMatch, known: KnownRace | None) -> KnownMatch:
    racers = {racer.player_id: racer for racer in known.racers} if known else {}
    seats = []
    for seat in match.seats.all():
        racer = racers.get(seat.entry.player_id)
        progress = known.progress.get(racer.game_id) if known and racer and racer.game_id else None
        seats.append(KnownSeat(seat, racer, progress.cards_left if progress else None))
    return KnownMatch(match, sorted(seats, key=_order))


def _order(known: KnownSeat) -> tuple[bool, int, int, int]:
    """Return what seats are ordered by: the place, or else the cards left; who forfeited is last."""
    forfeited = known.seat.goes_on is not None and known.seat.place is None
    left = 99 if known.cards_left is None else known.cards_left
    return (forfeited, known.seat.place or 0, left, known.seat.entry.seed)
