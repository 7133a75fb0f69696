"""The course of a race: whichever process notices first that it is due begins it, ends it or calls it off.

Every step is idempotent and safe to take in several processes at once. Nobody has to be connected: the worker checks
every second.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from games.play.models import Game
from games.play.sessions import expire
from games.play.starting import race_game
from games.races.models import RESULT_FIELDS, Race, Racer
from games.races.notices import Start, publish_change, publish_starts
from games.races.order import ABSENT, Result, places
from games.races.people import mark_rivals
from games.races.ratings import to_be_rated
from games.runtime.rows_at_once import save_columns

logger = logging.getLogger(__name__)

FEWEST_RACERS = 2  # of a room
ROOM_OPEN_FOR = timedelta(hours=1)  # a room that nobody starts counts as one of its host's
TOGETHER = 100  # races in a transaction


def advance_all(now: datetime) -> int:
    """Advance all races that are not over, and return how many were due."""
    races = list(Race.objects.filter(ended_at=None))
    # A question of its own: as a condition of the first one, PostgreSQL would look at all games for each race, as long
    # as it does not know how many have begun.
    playing = Racer.objects.filter(race__in=races, game__status=Game.Status.PLAYING).order_by()
    played = set(playing.values_list("race", flat=True).distinct())
    due = [race.pk for race in races if _is_due(race, now, is_played=race.pk in played)]
    for first in range(0, len(due), TOGETHER):
        some = due[first : first + TOGETHER]
        for race_id, outcome in zip(some, advance_each([(race_id, now) for race_id in some]), strict=True):
            if isinstance(outcome, Exception):  # one race that cannot go on does not hold up the others
                logger.error("race %s cannot go on", race_id, exc_info=outcome)
    return len(due)


def advance_each(asked: Sequence[tuple[str, datetime]]) -> list[bool | Exception]:
    """Advance races, as of the latest of the times. Return for each what `advance` returns, or why it cannot go on."""
    now = max(now for _, now in asked)
    try:
        moved_on = advance({race_id for race_id, _ in asked}, now)
    except Exception as error:  # noqa: BLE001  it is for those that asked
        return [error] if len(asked) == 1 else [advance_each([one])[0] for one in asked]
    return [race_id in moved_on for race_id, _ in asked]


def advance(race_ids: Collection[str], now: datetime) -> set[str]:
    """Begin races, end them or call them off, if that is due; return those that had begun before, or were over."""
    races = Race.objects.filter(ended_at=None).in_bulk(race_ids)
    for race in races.values():
        if race.starts_at is None and now >= _forgotten_at(race):
            call_off(race.pk, now)
    waiting = {race.pk for race in races.values() if race.begun_at is None}
    if waiting:
        _begin(waiting, now)
    _end([race for race in races.values() if race.begun_at is not None], now)
    return set(race_ids) - waiting


def locked(race_id: str) -> Race:
    """Return a race, locked until the transaction ends."""
    return Race.objects.select_for_update(no_key=True).get(pk=race_id)


def _locked_by_nobody_else(races: QuerySet[Race]) -> dict[str, Race]:
    """Return races, locked until the transaction ends, without those that another one has: it mostly does the same.

    At the start of a cup's round each process would wait for hundreds of them. The next call comes a moment later.
    """
    free = races.select_for_update(no_key=True, skip_locked=True, of=("self",)).select_related("deal")
    return {race.pk: race for race in free.order_by("pk")}


@transaction.atomic
def call_off(race_id: str, now: datetime) -> None:
    """Cancel a race that has not begun, and remove its racers."""
    race = locked(race_id)
    if race.begun_at is None and not race.is_over:
        race.racers.all().delete()
        _save_ends({race: Race.End.CANCELLED}, now)


def _is_due(race: Race, now: datetime, *, is_played: bool) -> bool:
    """Return True if something may have to be done; `is_played` says whether one of its games is being played."""
    if race.ends_at is None or race.starts_at is None:
        return now >= _forgotten_at(race)
    if race.begun_at is None:
        return now >= race.starts_at
    # Nobody may be playing for a while in a race to which more are to come.
    all_finished = race.entry != Race.Entry.ROLLING and not is_played
    return all_finished or now >= race.ends_at


def _forgotten_at(race: Race) -> datetime:
    return race.created_at + ROOM_OPEN_FOR


@transaction.atomic
def _begin(race_ids: Collection[str], now: datetime) -> None:
    """Create the games of all racers of races that are due. A room that cannot begin is called off."""
    due = Race.objects.filter(pk__in=race_ids, begun_at=None, ended_at=None, starts_at__lte=now)
    races = _locked_by_nobody_else(due)
    racers = _racers_of(races, "player")
    for race in [race for race in races.values() if _cannot_begin(race, racers[race.pk], now)]:
        call_off(race.pk, now)
        del races[race.pk]
    _make_games([racer for race_id in races for racer in racers[race_id]])
    Race.objects.filter(pk__in=races).update(begun_at=now)
    publish_starts({race.pk: _start_of(race, racers[race.pk], now) for race in races.values()})


def _racers_of(races: Mapping[str, Race], *needed: str) -> dict[str, list[Racer]]:
    racers: dict[str, list[Racer]] = {race_id: [] for race_id in races}
    for racer in Racer.objects.filter(race__in=races).select_related(*needed):
        racer.race = races[racer.race_id]
        racers[racer.race_id].append(racer)
    return racers


def _cannot_begin(race: Race, racers: Sequence[Racer], now: datetime) -> bool:
    """Return True for a room with too few racers, or whose whole time has passed before anyone could begin it."""
    is_past = race.ends_at is not None and now >= race.ends_at
    return race.entry == Race.Entry.OPEN and (is_past or len(racers) < FEWEST_RACERS)


def _make_games(racers: Sequence[Racer]) -> None:
    games = [race_game(racer.player, racer.race.deal, racer.race.starts_at) for racer in racers if racer.race.starts_at]
    for racer, game in zip(racers, Game.objects.bulk_create(games), strict=True):
        racer.game = game
    save_columns(racers, ["game_id"])


def _start_of(race: Race, racers: Sequence[Racer], now: datetime) -> Start:
    games = {racer.pk: racer.game_id for racer in racers if racer.game_id is not None}
    return Start(now, race.deal.rule_set.cards_to_remove, games)


def _end(races: Collection[Race], now: datetime) -> None:
    """End races whose games have all ended, or whose time is up; unfinished games then end as they stand."""
    overdue = [race.pk for race in races if race.ends_at is not None and now >= race.ends_at]
    if overdue:
        playing = Racer.objects.filter(race__in=overdue, game__status=Game.Status.PLAYING)
        expire(list(playing.values_list("game", flat=True)), now)
    due = [race.pk for race in races if race.entry != Race.Entry.ROLLING or race.pk in overdue]
    if due:
        _write_ends(due, now)


@transaction.atomic
def _write_ends(race_ids: Collection[str], now: datetime) -> None:
    """End races, except those that another process is ending or a last move has just ended: the next call has them."""
    races = _locked_by_nobody_else(Race.objects.filter(pk__in=race_ids, ended_at=None))
    ended = {
        races[race_id]: own
        for race_id, own in _racers_of(races, "game", "player").items()
        if all(racer.game is None or racer.game.is_over for racer in own)
    }
    if not ended:
        return
    ends = {race: _set_results(race, own) for race, own in ended.items()}
    mark_rivals([own for race, own in ended.items() if race.is_public], now)  # others are not rated
    racers = [racer for own in ended.values() for racer in own]
    save_columns(racers, ["place", *RESULT_FIELDS, "is_rated", "is_rival", "person"])
    _save_ends(ends, now)


def _set_results(race: Race, racers: list[Racer]) -> Race.End:
    """Set the results of a race's racers, and return how the race ends."""
    results = [result_of(racer.game, race) for racer in racers]
    for racer, result, place in zip(racers, results, places(results, race.tie_break), strict=True):
        racer.place = place
        for name in RESULT_FIELDS:
            setattr(racer, name, getattr(result, name))
    is_late = any(racer.outcome == Game.Status.EXPIRED for racer in racers)
    return Race.End.TIME_UP if is_late else Race.End.ALL_FINISHED


def result_of(game: Game | None, race: Race) -> Result:
    """Return the result of a finished game, or of one that was deleted with its player's account."""
    if game is None:
        return Result(ABSENT, race.deal.rule_set.deck_size, 0, 0)
    return Result(game.status, game.cards_left or 0, game.moves or 0, game.elapsed_ms or 0)


def _save_ends(ends: Mapping[Race, Race.End], now: datetime) -> None:
    for end in set(ends.values()):
        of_end = [race.pk for race, own in ends.items() if own == end]
        Race.objects.filter(pk__in=of_end).update(ended_at=now, end=end)
    to_be_rated(ends)
    publish_change(*(race.pk for race in ends))
