"""The qualification of a cup: a race that each entrant begins at a moment of their own. It decides the seeds."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.db import transaction

from games.cups.drawing import draw
from games.cups.finding import find_cup, require_seen
from games.cups.models import Cup
from games.cups.refusals import ByLetters, CupNotOpen, NotYourCup, UnknownCup
from games.cups.rounds import new_race
from games.doors.refusals import Refusal
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


def enter(cup_id: str, player: Player, now: datetime) -> str:
    """Return the player's one game of the qualification, which begins now if there is none yet.

    Raises `UnknownCup`, `ByLetters`, `CupNotOpen`, `NotYourCup` or `Throttled`.
    """
    count(entry_of(player))
    [entered] = enter_together([(cup_id, player, now)])
    if isinstance(entered, Exception):
        raise entered
    return entered


def entry_of(player: Player) -> Hit:
    """Return what an entry counts for."""
    return Hit("cup_entries", str(player.pk))


def enter_together(asked: Sequence[tuple[str, Player, datetime]]) -> list[str | Exception]:
    """Return what `enter` returns or raises for each, without a limit. They begin together, at the latest time."""
    now = max(now for _, _, now in asked)
    players: defaultdict[str, dict[int, Player]] = defaultdict(dict)
    for cup_id, player, _ in asked:
        players[cup_id][player.pk] = player
    entered = {cup_id: _entered(cup_id, each, now) for cup_id, each in players.items()}
    return [entered[cup_id][player.pk] for cup_id, player, _ in asked]


def _entered(cup_id: str, players: Mapping[int, Player], now: datetime) -> Mapping[int, str | Exception]:
    """Return the game of each player in the qualification of a cup, or why there is none."""
    meant, refused = {}, {}
    try:
        cup = find_cup(cup_id)
    except UnknownCup as error:
        return dict.fromkeys(players, error)
    for key, player in players.items():
        try:
            _require_meant_for(cup, player)
            meant[key] = player
        except Refusal as error:
            refused[key] = error
    try:
        return {**refused, **_games_in(cup, meant, now)}
    except CupNotOpen as error:
        return {**refused, **dict.fromkeys(meant, error)}


def _games_in(cup: Cup, players: Mapping[int, Player], now: datetime) -> dict[int, str]:
    """Return the games of players in a qualification, which begin now where there are none yet. Raises `CupNotOpen`."""
    begun = _begun_games(cup.qualification_id, players)
    if begun.keys() == players.keys():
        return begun
    with transaction.atomic():
        race = _open_race(cup, now)
        begun = _begun_games(race.pk, players)
        games = [race_game(player, race.deal, now) for key, player in players.items() if key not in begun]
        Game.objects.bulk_create(games)
        Racer.objects.bulk_create(Racer(race=race, player=game.player, joined_at=now, game=game) for game in games)
    return begun | {game.player_id: game.pk for game in games}


def _begun_games(race: str | None, players: Collection[int]) -> dict[int, str]:
    begun = Racer.objects.filter(race=race, player__in=players).exclude(game=None)
    return dict(begun.values_list("player_id", "game_id"))


def require_open(cup_id: str, visitor: Player | None, now: datetime) -> None:
    """Raise what `enter` would raise, also for a visitor who is not a player yet; it does not count as a try."""
    cup = find_cup(cup_id)
    _require_meant_for(cup, visitor)
    _require_running(cup.qualification, now)


def close_qualification(cup: Cup, now: datetime) -> bool:
    """Draw the cup once its qualification is over."""
    race = cup.qualification
    if cup.seeded_at is not None or race is None or not race.is_over:
        return False
    qualified = [racer.player_id for racer in race.racers.exclude(moves=0).order_by("place", "pk")]
    draw(cup, qualified, now)
    return True


def _require_meant_for(cup: Cup, player: Player | None) -> None:
    """Raise `UnknownCup`, `ByLetters` or `NotYourCup` for somebody who cannot enter a cup."""
    require_seen(cup, player)
    if cup.is_by_hand:
        raise ByLetters("this tournament takes those who have its six letters")
    if cup.for_bots != (player is not None and player.is_bot):
        raise NotYourCup("people and bots have separate cups")


def _open_race(cup: Cup, now: datetime) -> Race:
    """Return the race of a qualification, locked so that it does not end now. Raises `CupNotOpen`."""
    return _require_running(None if cup.qualification_id is None else locked(cup.qualification_id), now)


def _require_running(race: Race | None, now: datetime) -> Race:
    if race is None or race.is_over or race.ends_at is None or now >= race.ends_at:
        raise CupNotOpen("the qualification of this cup has not begun, or it is over")
    return race
