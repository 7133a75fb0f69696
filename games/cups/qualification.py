"""The qualification of a cup: a race that each entrant begins at a moment of their own. It decides the seeds."""

from datetime import datetime, timedelta

from django.db import transaction

from games.cups.bracket import divisions, first_round
from games.cups.ending import end_cup
from games.cups.models import Cup, CupEntry
from games.cups.refusals import CupNotOpen, NotYourCup, UnknownCup
from games.cups.rounds import draw_matches, make_race
from games.play.models import Game
from games.play.starting import race_game
from games.players.models import Player
from games.races.course import locked
from games.races.models import Race, Racer
from games.runtime.limits import Hit, count

FEWEST_ENTRANTS = 2
MOST_LATE = timedelta(minutes=1)
MOVED_BY = timedelta(minutes=10)
MOST_MOVED = timedelta(hours=1)


def open_qualification(cup: Cup, now: datetime) -> None:
    """Open the qualification on a new deal. If the time has passed it is moved, so that all can come; or cancelled."""
    if now - cup.announced_for > MOST_MOVED:
        end_cup(cup, Cup.End.SERVER_DOWN, now)
        return
    if now - cup.opens_at > MOST_LATE:
        cup.opens_at = now.replace(second=0, microsecond=0) + MOVED_BY
        cup.save(update_fields=["opens_at"])
        return
    cup.qualification = make_race(cup, Race.Entry.ROLLING, now, now)
    cup.save(update_fields=["qualification"])


def enter(cup_id: str, player: Player, now: datetime) -> Game:
    """Return the player's one game of the qualification, which begins now if there is none yet.

    Raises `UnknownCup`, `CupNotOpen`, `NotYourCup` or `Throttled`.
    """
    cup = find_cup(cup_id)
    if cup.for_bots != player.is_bot:
        raise NotYourCup("people and bots have separate cups")
    count(Hit("cup_entries", str(player.pk)))
    with transaction.atomic():
        race = _open_race(cup, now)
        racer = Racer.objects.select_related("game").filter(race=race, player=player).first()
        if racer is not None and racer.game is not None:
            return racer.game
        game = race_game(player, race.deal, now)
        game.save(force_insert=True)
        Racer.objects.create(race=race, player=player, joined_at=now, game=game)
    return game


def find_cup(cup_id: str) -> Cup:
    """Return a cup. Raises `UnknownCup`."""
    cup = Cup.objects.select_related("qualification").filter(pk=cup_id).first()
    if cup is None:
        raise UnknownCup(f"there is no cup {cup_id!r}")
    return cup


def close_qualification(cup: Cup, now: datetime) -> bool:
    """Fix the seeds, the divisions and the first rounds once the qualification is over; too few cancel the cup."""
    race = cup.qualification
    if cup.seeded_at is not None or race is None or not race.is_over:
        return False
    qualified = [racer.player_id for racer in race.racers.exclude(moves=0).order_by("place", "pk")]
    if len(qualified) < FEWEST_ENTRANTS:
        end_cup(cup, Cup.End.TOO_FEW, now)
        return True
    for number, seeds in enumerate(divisions(len(qualified)), 1):
        entries = CupEntry.objects.bulk_create(
            CupEntry(cup=cup, player_id=qualified[seed - 1], seed=seed, division=number) for seed in seeds
        )
        draw_matches(cup, number, 0, first_round(entries), now)
    cup.seeded_at = now
    cup.save(update_fields=["seeded_at"])
    return True


def _open_race(cup: Cup, now: datetime) -> Race:
    """Return the race of a qualification, locked so that it does not end now. Raises `CupNotOpen`."""
    race = None if cup.qualification_id is None else locked(cup.qualification_id)
    if race is None or race.is_over or race.ends_at is None or now >= race.ends_at:
        raise CupNotOpen("the qualification of this cup has not begun, or it is over")
    return race
