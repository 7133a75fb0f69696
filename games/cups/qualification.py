"""The qualification of a cup: a race that each entrant begins at a moment of their own. It decides the seeds."""

from datetime import datetime

from django.db import transaction

from games.cups.drawing import draw
from games.cups.finding import find_cup, require_seen
from games.cups.models import Cup
from games.cups.refusals import ByLetters, CupNotOpen, NotYourCup
from games.cups.rounds import new_race
from games.play.models import Game
from games.play.starting import race_game
from games.players.models import Player
from games.practice.stock import certified_for_race
from games.races.course import locked
from games.races.models import Race, Racer
from games.runtime.limits import Hit, count


def open_qualification(cup: Cup, now: datetime) -> None:
    """Open the qualification on a new deal."""
    cup.qualification = new_race(cup, certified_for_race(cup.rule_set, now), Race.Entry.ROLLING, now, now)
    cup.qualification.save(force_insert=True)
    cup.save(update_fields=["qualification"])


def enter(cup_id: str, player: Player, now: datetime) -> Game:
    """Return the player's one game of the qualification, which begins now if there is none yet.

    Raises `UnknownCup`, `ByLetters`, `CupNotOpen`, `NotYourCup` or `Throttled`.
    """
    cup = _require_meant_for(cup_id, player)
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


def require_open(cup_id: str, visitor: Player | None, now: datetime) -> None:
    """Raise what `enter` would raise, also for a visitor who is not a player yet; it does not count as a try."""
    _require_running(_require_meant_for(cup_id, visitor).qualification, now)


def close_qualification(cup: Cup, now: datetime) -> bool:
    """Draw the cup once its qualification is over."""
    race = cup.qualification
    if cup.seeded_at is not None or race is None or not race.is_over:
        return False
    qualified = [racer.player_id for racer in race.racers.exclude(moves=0).order_by("place", "pk")]
    draw(cup, qualified, now)
    return True


def _require_meant_for(cup_id: str, player: Player | None) -> Cup:
    """Return a cup of the programme. Raises `UnknownCup`, `ByLetters` or `NotYourCup`."""
    cup = find_cup(cup_id)
    require_seen(cup, player)
    if cup.is_by_hand:
        raise ByLetters("this tournament takes those who have its six letters")
    if cup.for_bots != (player is not None and player.is_bot):
        raise NotYourCup("people and bots have separate cups")
    return cup


def _open_race(cup: Cup, now: datetime) -> Race:
    """Return the race of a qualification, locked so that it does not end now. Raises `CupNotOpen`."""
    return _require_running(None if cup.qualification_id is None else locked(cup.qualification_id), now)


def _require_running(race: Race | None, now: datetime) -> Race:
    if race is None or race.is_over or race.ends_at is None or now >= race.ends_at:
        raise CupNotOpen("the qualification of this cup has not begun, or it is over")
    return race
