"""Races as their racers and watchers may know them: before the end, never a card or a move of another racer."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import Coalesce

from games.play.models import Game, logs_of
from games.players.models import Player
from games.races.circles import members_of
from games.races.models import Race, Racer
from games.races.notices import Progress
from games.races.refusals import UnknownRace
from games.races.rooms import find_race
from games.races.strength import FEWEST_RATED
from games.runtime.kept_queries import instances_of

MOST_LISTED = 100
NEEDED = ("deal", "host", "rematch", "rematch_of", "unrated")


@dataclass(frozen=True)
class KnownRace:
    """A race, its racers in the order of joining, the progress of games, theirs too, and the circle's members."""

    race: Race
    racers: Sequence[Racer]
    progress: Mapping[str, Progress] = field(default_factory=dict)
    insiders: Collection[int] = ()

    @property
    def is_rated(self) -> bool:
        counting = [racer.player for racer in self.racers if _counts(racer, self.race)]
        people = sum(not player.is_bot for player in counting)
        return is_rated(self.race, people, len(counting) - people)

    @property
    def all_finished(self) -> bool:
        """True if every game has ended, so that the race can be ended."""
        return self.race.begun_at is not None and all(
            racer.game_id is None or self.progress[racer.game_id].outcome for racer in self.racers
        )

    def racer_of(self, reader: Player | None) -> Racer | None:
        """Return the reader as a racer, or None."""
        return next((racer for racer in self.racers if reader is not None and racer.player_id == reader.pk), None)

    def may_watch(self, reader: Player | None) -> bool:
        """Return True if the race is public, or its reader a racer or a member of its circle."""
        is_inside = reader is not None and reader.pk in self.insiders
        return self.race.is_public or is_inside or self.racer_of(reader) is not None


def _counts(racer: Racer, race: Race) -> bool:
    """Return True if this racer is or will be rated. Before the end, this is true of every claimed account."""
    is_waiting = racer.is_rated and hasattr(race, "unrated")
    return (is_waiting or hasattr(racer, "rating_change")) if race.is_over else not racer.player.is_guest


def is_rated(race: Race, people: int, bots: int) -> bool:
    """Return True if a race is rated between these numbers of people and bots, of one that is over if there are any."""
    return race.is_public and max(people, bots) >= (1 if race.is_over else FEWEST_RATED)


def read_race(race_id: str, reader: Player | None) -> KnownRace:
    """Return a race as it stands. Raises `UnknownRace`, also if the reader may not see it."""
    find_race(race_id, reader)
    return know_race(race_id, {})


def know_race(race_id: str, known: Mapping[str, Progress]) -> KnownRace:
    """Return a race as it stands; only games that are further than the known progress are replayed."""
    [found] = know_together([(race_id, known)])
    if isinstance(found, UnknownRace):
        raise found
    return found


def know_together(asked: Sequence[tuple[str, Mapping[str, Progress]]]) -> list[KnownRace | UnknownRace]:
    """Return what `know_race` returns or raises for each race and what is known of it."""
    known = {game: progress for _, of_race in asked for game, progress in of_race.items()}
    found = know_races({race_id for race_id, _ in asked}, known)
    return [found.get(race_id) or UnknownRace(f"there is no race {race_id!r}") for race_id, _ in asked]


def know_races(race_ids: Collection[str], known: Mapping[str, Progress]) -> dict[str, KnownRace]:
    """Return races as they stand by their ids, with as many queries as one takes."""
    races = {race.pk: race for race in instances_of(_with, [*race_ids])}
    racers: dict[str, list[Racer]] = {race_id: [] for race_id in races}
    for racer in instances_of(_racers_in, [*races]):
        racer.race = races[racer.race_id]
        racers[racer.race_id].append(racer)
    progress = _progress([racer for each in racers.values() for racer in each], known)
    insiders = {circle: members_of(circle) for circle in {race.circle for race in races.values()} if circle}
    return {
        race_id: KnownRace(race, racers[race_id], _of(racers[race_id], progress), insiders.get(race.circle, ()))
        for race_id, race in races.items()
    }


def _with(ids: Sequence[str]) -> QuerySet[Race]:
    return Race.objects.select_related(*NEEDED).exclude(entry=Race.Entry.ROLLING).filter(pk__in=ids)


def _racers_in(races: Sequence[str]) -> QuerySet[Racer]:
    return Racer.objects.filter(race__in=races).select_related("player", "game", "rating_change")


def public_races() -> list[Race]:
    """Return the public races that are not over: the next to begin first, rooms without a start time last."""
    races = _listed(Race.objects.filter(is_public=True, entry=Race.Entry.OPEN, ended_at=None))
    return list(races.order_by(F("starts_at").asc(nulls_last=True), "created_at")[:MOST_LISTED])


def races_in(circle_id: str) -> list[Race]:
    """Return the races of a circle that are not over, without the matches of its tournaments."""
    races = _listed(Race.objects.filter(circle=circle_id, entry=Race.Entry.OPEN, ended_at=None))
    return list(races.order_by("created_at")[:MOST_LISTED])


def past_races(before: str | None, most: int) -> list[Race]:
    """Return past public races, the last first, optionally those before another one. Raises `UnknownRace`."""
    of_rooms = Race.objects.filter(is_public=True, entry=Race.Entry.OPEN)
    past = of_rooms.filter(begun_at__isnull=False, ended_at__isnull=False)
    if before is not None:
        last = past.filter(pk=before).first()
        if last is None:
            raise UnknownRace(f"there is no past race {before!r}")
        past = past.filter(Q(ended_at__lt=last.ended_at) | Q(ended_at=last.ended_at, pk__lt=last.pk))
    return list(_listed(past).order_by("-ended_at", "-pk")[:most])


def races_of(player: Player, before: str | None, most: int) -> list[Racer]:
    """Return a player's races, the last joined first, optionally those before another one. Raises `UnknownRace`."""
    own = Racer.objects.filter(player=player).exclude(race__entry=Race.Entry.ROLLING)
    if before is not None:
        last = own.filter(race=before).first()
        if last is None:
            raise UnknownRace(f"you were in no race {before!r}")
        own = own.filter(pk__lt=last.pk)
    racers = list(own.order_by("-pk")[:most])
    races = {race.pk: race for race in _listed(Race.objects.filter(pk__in=[racer.race_id for racer in racers]))}
    for racer in racers:
        racer.race = races[racer.race_id]
    return racers


def _listed(races: QuerySet[Race]) -> QuerySet[Race]:
    rated = Q(racers__rating_change__isnull=False) | Q(racers__is_rated=True, unrated__isnull=False)
    counting = rated | Q(ended_at=None, racers__player__is_guest=False)
    people = Count("racers", filter=counting & Q(racers__player__is_bot=False))
    bots = Count("racers", filter=counting & Q(racers__player__is_bot=True))
    return races.select_related("deal", "host").annotate(joined=Count("racers"), people=people, bots=bots)


def _progress(racers: Sequence[Racer], known: Mapping[str, Progress]) -> dict[str, Progress]:
    progress, playing = {}, []
    games = [game for racer in racers if (game := _game_of(racer)) is not None]
    versions = _versions([game.pk for game in games if not game.is_over])
    for game in games:
        last = known.get(game.pk)
        if game.is_over:
            progress[game.pk] = _of_finished(game)
        elif last is not None and last.version >= versions.get(game.pk, 0):
            progress[game.pk] = last
        else:
            playing.append(game)
    logs = logs_of([game.pk for game in playing])
    for game in playing:
        play = game.record(logs[game.pk]).replay()
        progress[game.pk] = Progress(play.version, play.position.cards_left, play.moves, play.elapsed_ms)
    return progress


def _of(racers: Sequence[Racer], progress: Mapping[str, Progress]) -> dict[str, Progress]:
    return {racer.game_id: progress[racer.game_id] for racer in racers if racer.game_id}


def _game_of(racer: Racer) -> Game | None:
    if racer.game is not None:
        racer.game.player, racer.game.deal = racer.player, racer.race.deal
    return racer.game


def _versions(games: Sequence[str]) -> dict[str, int]:
    latest = Game.objects.filter(pk__in=games).annotate(version=Coalesce(Max("log__version"), 0)).order_by()
    return dict(latest.values_list("pk", "version")) if games else {}


def _of_finished(game: Game) -> Progress:
    # The highest version of all: a late notice of a move must not replace the end of a game.
    return Progress(2**31 - 1, game.cards_left or 0, game.moves or 0, game.elapsed_ms or 0, game.status)
