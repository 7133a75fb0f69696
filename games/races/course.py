"""The course of a race: whichever process notices first that it is due begins it, ends it or calls it off.

Every step is idempotent and safe to take in several processes at once. Nobody has to be connected: the worker checks
every second.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from games.play.models import Game
from games.play.sessions import expire
from games.play.starting import race_game
from games.races.models import RESULT_FIELDS, Race, Racer
from games.races.notices import publish_change
from games.races.order import ABSENT, Result, places
from games.races.people import mark_rivals
from games.races.ratings import to_be_rated

logger = logging.getLogger(__name__)

FEWEST_RACERS = 2  # of a room
ROOM_OPEN_FOR = timedelta(hours=1)  # a room that nobody starts counts as one of its host's


def advance_all(now: datetime) -> int:
    """Advance all races that are not over, and return how many were due."""
    playing = Racer.objects.filter(race=OuterRef("pk"), game__status=Game.Status.PLAYING)
    due = [race.pk for race in Race.objects.filter(ended_at=None).annotate(plays=Exists(playing)) if _is_due(race, now)]
    for race_id in due:
        try:
            advance(race_id, now)
        except Exception:  # one race that cannot go on does not hold up the others
            logger.exception("race %s cannot go on", race_id)
    return len(due)


def advance(race_id: str, now: datetime) -> None:
    """Begin a race, end it or call it off, if that is due."""
    race = Race.objects.filter(pk=race_id).first()
    if race is None or race.is_over:
        return
    if race.starts_at is None:
        if now >= _forgotten_at(race):
            call_off(race_id, now)
        return
    if race.begun_at is None and now >= race.starts_at:
        _begin(race_id, now)
        race.refresh_from_db()
    if race.begun_at is not None:
        _end(race, now)


def locked(race_id: str) -> Race:
    """Return a race, locked until the transaction ends."""
    return Race.objects.select_for_update(no_key=True).get(pk=race_id)


def _locked_by_nobody_else(race_id: str) -> Race | None:
    """Return a race, locked until the transaction ends; None while another one has it, which mostly does the same.

    At the start of a cup's round each process would wait for hundreds of them. The next call comes a moment later.
    """
    return Race.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=race_id).first()


@transaction.atomic
def call_off(race_id: str, now: datetime) -> None:
    """Cancel a race that has not begun, and remove its racers."""
    race = locked(race_id)
    if race.begun_at is None and not race.is_over:
        race.racers.all().delete()
        _save_end(race, Race.End.CANCELLED, now)


def _is_due(race: Race, now: datetime) -> bool:
    """Return True if something may have to be done; `plays` says whether one of its games is being played."""
    if race.ends_at is None or race.starts_at is None:
        return now >= _forgotten_at(race)
    if race.begun_at is None:
        return now >= race.starts_at
    # Nobody may be playing for a while in a race to which more are to come.
    all_finished = race.entry != Race.Entry.ROLLING and not race.plays  # type: ignore[attr-defined]  # annotated
    return now >= race.ends_at or all_finished


def _forgotten_at(race: Race) -> datetime:
    return race.created_at + ROOM_OPEN_FOR


@transaction.atomic
def _begin(race_id: str, now: datetime) -> None:
    """Create the games of all racers. A room with too few racers is called off."""
    race = _locked_by_nobody_else(race_id)
    if race is None or race.begun_at is not None or race.is_over or race.starts_at is None:
        return
    racers = list(race.racers.select_related("player"))
    if race.entry == Race.Entry.OPEN and len(racers) < FEWEST_RACERS:
        call_off(race_id, now)
        return
    for racer in racers:
        racer.game = race_game(racer.player, race.deal, race.starts_at)
    Game.objects.bulk_create([racer.game for racer in racers if racer.game])
    Racer.objects.bulk_update(racers, ["game"])
    race.begun_at = now
    race.save(update_fields=["begun_at"])
    publish_change(race_id)


def _end(race: Race, now: datetime) -> None:
    """End a race if all its games have ended or its time is up; unfinished games then end as they stand."""
    assert race.ends_at is not None  # noqa: S101  it has begun
    playing = list(race.racers.filter(game__status=Game.Status.PLAYING).values_list("game", flat=True))
    if now < race.ends_at and (playing or race.entry == Race.Entry.ROLLING):
        return
    expire([game for game in playing if game], now)
    with transaction.atomic():
        held = _locked_by_nobody_else(race.pk)
        if held is None:
            return
        racers = list(held.racers.select_related("game", "player"))
        if held.is_over or any(racer.game and not racer.game.is_over for racer in racers):
            return  # another process was first, or the last move of a game was; then the next call ends the race
        _write_results(held, racers, now)
        is_late = any(racer.outcome == Game.Status.EXPIRED for racer in racers)
        _save_end(held, Race.End.TIME_UP if is_late else Race.End.ALL_FINISHED, now)


def _write_results(race: Race, racers: list[Racer], now: datetime) -> None:
    results = [result_of(racer.game, race) for racer in racers]
    for racer, result, place in zip(racers, results, places(results, race.tie_break), strict=True):
        racer.place = place
        for name in RESULT_FIELDS:
            setattr(racer, name, getattr(result, name))
    if race.entry != Race.Entry.ROLLING:  # which compares nobody
        mark_rivals(racers, now)
    Racer.objects.bulk_update(racers, ["place", *RESULT_FIELDS, "is_rated", "is_rival", "person"])


def result_of(game: Game | None, race: Race) -> Result:
    """Return the result of a finished game, or of one that was deleted with its player's account."""
    if game is None:
        return Result(ABSENT, race.deal.rule_set.deck_size, 0, 0)
    return Result(game.status, game.cards_left or 0, game.moves or 0, game.elapsed_ms or 0)


def _save_end(race: Race, end: Race.End, now: datetime) -> None:
    race.ended_at, race.end = now, end
    race.save(update_fields=["ended_at", "end"])
    to_be_rated(race)
    publish_change(race.pk)
