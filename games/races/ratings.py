"""Rate the races that have ended, each once and in the order of their ends.

If a race is rated late, or other racers of it count than before, all later races of its family are rated again. So
ratings always follow from the results of the races in order.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from itertools import permutations
from statistics import fmean
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.play.models import Game
from games.play.scores import counting
from games.players.models import Player
from games.races.models import Race, Racer, Rating, RatingChange, RatingsLock, UnratedRace
from games.races.notices import publish_change
from games.races.order import ABSENT
from games.races.people import SAME_DAYS
from games.races.strength import (
    FEWEST_MOVED,
    FEWEST_RATED,
    NEWCOMER,
    PROVISIONAL_RACES,
    Family,
    Figures,
    Runner,
    Strength,
    after_races_against,
    family_of,
    figures_of,
    weight_of,
)
from games.rules import RULE_SETS
from games.runtime.kept_queries import rows_of

TOGETHER = 10  # in one transaction, and in one run of the worker: races and cups go on after it
COURSE = 100
"""The races in the course of a rating."""

_LOCK = 1


class Rated(NamedTuple):
    """A player's rating in a family, and its course: the ratings after the last races, the oldest first."""

    family: Family
    figures: Figures
    course: list[int]


def to_be_rated(races: Iterable[Race]) -> None:
    """Queue races that have ended to be rated."""
    public = [UnratedRace(race=race) for race in races if race.is_public and race.begun_at is not None]
    UnratedRace.objects.bulk_create(public, ignore_conflicts=True)


def rate_races(now: datetime) -> int:
    """Rate races that have ended, up to the number for one run, and return how many."""
    return _rate_batch()


def rate_all_again() -> int:
    """Rate all races again, and return their number."""
    with transaction.atomic():
        _lock()
        RatingChange.objects.all().delete()
        Rating.objects.all().delete()
        _queue(Race.objects.filter(is_public=True, begun_at__isnull=False, ended_at__isnull=False))
        total = UnratedRace.objects.count()
    while _rate_batch():
        pass
    return total


def reconsider(players: Collection[int]) -> None:
    """Queue the races in which any of these players counted and no longer does, or the other way round."""
    # Few of all the races of a player, and among them those that too few finished to be rated.
    for race in Race.objects.filter(pk__in=[race for (race,) in rows_of(_counted_otherwise, [*players])]):
        rated = set(RatingChange.objects.filter(racer__race=race).values_list("racer", flat=True))
        if rated != {racer.pk for group in _groups(race) for racer in group}:
            UnratedRace.objects.get_or_create(race=race)


def _counted_otherwise(players: Collection[int]) -> QuerySet[Race, tuple[Any, ...]]:
    """Ask for the rated races in which any of these players counts otherwise than when they were rated."""
    ended = Q(race__is_public=True, race__begun_at__isnull=False, race__ended_at__isnull=False)
    theirs = Racer.objects.filter(ended, player__in=players, race__unrated=None)
    count_now = _who_count(theirs).values("pk")
    differ = theirs.filter(rating_change=None, pk__in=count_now) | theirs.exclude(rating_change=None).exclude(
        pk__in=count_now
    )
    return Race.objects.filter(racers__in=differ.values("pk")).distinct().order_by().values_list("pk")


def rated(player: Player) -> list[Rated]:
    """Return a player's ratings, by family."""
    ratings = Rating.objects.filter(player=player)
    return [Rated(Family(row.family), figures_of(row), _course(row)) for row in ratings]


def sure_ratings() -> QuerySet[Rating]:
    """Return the ratings that are not provisional."""
    return Rating.objects.filter(races__gte=PROVISIONAL_RACES)


def best_rated(family: Family, most: int, *, bots: bool) -> list[Rating]:
    """Return the best ratings of a family that are not provisional, of people or of bots."""
    sure = sure_ratings().filter(family=family, player__is_bot=bots)
    standing = sure.filter(player__is_active=True, player__banned_at=None).select_related("player")
    return list(standing.order_by("-mean", "player")[:most])


@transaction.atomic
def _rate_batch() -> int:
    # One process at a time: every rating starts from the one before.
    _lock()
    if not UnratedRace.objects.exists():
        return 0
    touched = _rewind()
    races = [row.race for row in _waiting()[:TOGETHER]]
    for race in races:
        touched |= _rate(race)
    UnratedRace.objects.filter(pk__in=[race.pk for race in races]).delete()
    _write_last(touched)
    publish_change(*(race.pk for race in races))
    return len(races)


def _course(rating: Rating) -> list[int]:
    changes = RatingChange.objects.filter(player=rating.player_id, family=rating.family).order_by("-races")
    return [round(mean) for mean in changes.values_list("mean", flat=True)[:COURSE]][::-1]


def _lock() -> None:
    RatingsLock.objects.get_or_create(pk=_LOCK)
    RatingsLock.objects.select_for_update().get(pk=_LOCK)


def _waiting() -> QuerySet[UnratedRace]:
    return UnratedRace.objects.select_related("race__deal").order_by("race__ended_at", "race_id")


def _queue(races: QuerySet[Race]) -> None:
    rows = (UnratedRace(race_id=race) for race in races.order_by().values_list("pk", flat=True).distinct())
    UnratedRace.objects.bulk_create(rows, ignore_conflicts=True, batch_size=1000)


def _rewind() -> set[tuple[int, str]]:
    """Undo all changes of a family from its first waiting race on; return the players and families concerned."""
    touched: set[tuple[int, str]] = set()
    for family in Family:
        rules = [each.slug for each in RULE_SETS.values() if family_of(each) is family]
        first = _waiting().filter(race__deal__rules__in=rules).first()
        if first is None:
            continue
        at = first.race.ended_at
        # Races that ended at the same moment are rated in the order of their ids, as `_waiting` has them.
        later = RatingChange.objects.filter(Q(ended_at__gt=at) | Q(ended_at=at, racer__race__gte=first.race_id))
        later = later.filter(family=family)
        touched |= {(player, family) for player in later.order_by().values_list("player", flat=True)}
        _queue(Race.objects.filter(racers__rating_change__in=later))
        RatingChange.objects.filter(pk__in=list(later.values_list("pk", flat=True))).delete()
    return touched


def _groups(race: Race) -> list[list[Racer]]:
    """Return the groups that are rated among themselves, people and bots, the rivals first, where those are enough."""
    racers = list(_who_count(race.racers.all()).select_related("player").order_by("-is_rival", "pk"))
    groups = ([racer for racer in racers if racer.player.is_bot is bots] for bots in (False, True))
    return [[racer for racer in group if racer.outcome != ABSENT] for group in groups if _are_enough(group)]


def _are_enough(group: Sequence[Racer]) -> bool:
    persons = {racer.person for racer in group}
    return len(persons) >= FEWEST_RATED and sum(racer.is_rival for racer in group) >= FEWEST_MOVED


def _who_count(racers: QuerySet[Racer]) -> QuerySet[Racer]:
    """Return racers without guests, and those whose game does not count."""
    games = counting(Game.objects.filter(racer__in=racers.values("pk"))).values("pk")
    return racers.filter(is_rated=True, player__banned_at=None).filter(Q(game=None) | Q(game__in=games))


def _rate(race: Race) -> set[tuple[int, str]]:
    family = family_of(race.deal.rule_set)
    touched: set[tuple[int, str]] = set()
    assert race.ended_at is not None  # noqa: S101  only races that have ended wait
    for racers in _groups(race):
        last = _last([racer.player_id for racer in racers], family)
        before = [last.get(racer.player_id, NEWCOMER) for racer in racers]
        met = _meetings(racers, family, race.ended_at)
        last_place = max(racer.place or 0 for racer in racers) + 1  # of who never moved, whatever the place
        runners = [
            Runner(old, racer.place or 0 if racer.moves else last_place, weight_of(met[racer.person]))
            for racer, old in zip(racers, before, strict=True)
        ]
        rivals = sum(racer.is_rival for racer in racers)
        after = after_races_against(runners[:rivals], runners[rivals:])
        RatingChange.objects.bulk_create(
            RatingChange(
                racer=racer,
                player_id=racer.player_id,
                family=family,
                ended_at=race.ended_at,
                mean_before=old.mean,
                **new._asdict(),
            )
            for racer, old, new in zip(racers, before, after, strict=True)
        )
        touched |= {(racer.player_id, family) for racer in racers}
    return touched


def _meetings(racers: Sequence[Racer], family: str, at: datetime) -> dict[int | None, float]:
    """Return for each person how often, on average, they met each of the rivals in rated races of the last days.

    A person who comes with another account has been met all the same.
    """
    persons, is_bot = {racer.person for racer in racers}, racers[0].player.is_bot
    theirs = RatingChange.objects.filter(racer__person__in=persons, player__is_bot=is_bot, family=family)
    races: dict[str, set[int | None]] = defaultdict(set)
    recent = theirs.filter(ended_at__gt=at - SAME_DAYS).order_by()
    for race, person in recent.values_list("racer__race", "racer__person"):
        races[race].add(person)
    together = Counter(pair for group in races.values() for pair in permutations(group, 2))
    rivals = {racer.person for racer in racers if racer.is_rival}
    return {own: fmean(together[own, other] for other in rivals - {own}) for own in persons}


def _last(players: Collection[int], family: str) -> dict[int, Strength]:
    """Return the strengths of players after their last rated race; those who had none are missing."""
    changes = RatingChange.objects.filter(family=family)
    later = changes.filter(player=OuterRef("player"), races__gt=OuterRef("races"))
    rows = changes.filter(~Exists(later), player__in=players).order_by()
    return {row.player_id: Strength(row.mean, row.deviation, row.races) for row in rows}


def _write_last(touched: Iterable[tuple[int, str]]) -> None:
    """Write the current ratings of players; closed accounts have none."""
    by_family: dict[str, list[int]] = {}
    for player, family in sorted(touched):
        by_family.setdefault(family, []).append(player)
    for family, players in by_family.items():
        last = _last(players, family)
        open_ = set(Player.objects.filter(pk__in=last, is_active=True).values_list("pk", flat=True))
        Rating.objects.filter(family=family, player__in=players).delete()
        Rating.objects.bulk_create(
            Rating(player_id=player, family=family, **strength._asdict())
            for player, strength in sorted(last.items())
            if player in open_
        )
