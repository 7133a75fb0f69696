"""A crowd that plays day after day, an honest champion and some cheats among them, and what the detectors say."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from random import Random

from django.core.management.base import OutputWrapper
from django.test import override_settings

from games.calendar.models import DailyDeal
from games.deals.daily import first_day_not_public
from games.doors.commands import progress
from games.play.models import Game
from games.players.models import Player
from leaderboards.audit.verifying import verify_entered
from leaderboards.boards.submission import submit
from leaderboards.detectors.thresholds import VERSION
from leaderboards.moderation.deal_tables import table_of
from leaderboards.moderation.evidence_models import Examination
from leaderboards.moderation.examining import Runs, examine
from leaderboards.moderation.traces import remember
from tests.calendar import prepared_dailies
from tests.integrity.hands import BOT, person
from tests.leaderboards.desk.playing import Kitchen, store_game

RULES, DIVISION = "standard", "open"
STYLES = ("careless", "casual")
NAMES = (
    *("Mira", "Oskar", "Tomoko", "Bez", "Juha", "Leila", "Pavel", "Zoë", "Kestrel", "Dune", "Basalt", "Sandfly"),
    *("Tallow", "Heron Bay", "Wilhelmina van der Meer-Okonkwo", "Otter", "Finch", "Marlow", "Nadia", "Ravi"),
)
DAY_OFF = 0.15
REGULARS = 40  # of the crowd, who play on every day


@dataclass(frozen=True, slots=True)
class Somebody:
    """A simulated daily player: style, a bot's or a person's timing, hour, and whom they follow."""

    name: str
    style: str
    is_bot: bool = False
    clock: float = 1.0
    hour: int | None = None
    copies: str = ""


CHAMPION = Somebody("Amenhotep", "thinker")
CHEATS = (
    Somebody("Quill", "perfect", is_bot=True),
    Somebody("Wren", "perfect"),
    Somebody("Pebble", "draws first", hour=3),
    Somebody("Magpie", "casual", hour=21, copies="Mira"),
    Somebody("Tortoise", "perfect", clock=0.9),
)
COPIED = {cheat.copies for cheat in CHEATS}
WITH_BETS = {"Wren", "Amenhotep"}  # a game's bets take seconds
SHARE_A_TABLET = ("wren", "pebble")
SHARE_AN_ADDRESS = ("mira", "oskar", "tomoko", "wren")


def plant(crowd: int, days: int, now: datetime, dice: Random, bets: bool = True) -> dict[str, Player]:
    """Let people play the last days that are over, of a large crowd most only the last; return the players by name."""
    people = _people(crowd, now - timedelta(days=days + 30))
    today = datetime.combine(first_day_not_public(now), time(), now.tzinfo)
    with_bets = {player.pk for name, player in people.items() if bets and name in WITH_BETS}
    for ago in progress(OutputWrapper(sys.stderr), range(days, 0, -1), "day"):
        morning = today - timedelta(days=ago)
        daily = _daily(morning)
        present = people if ago == 1 else _regulars(people)
        games = [game.pk for game in _games_of(daily, morning, present, dice)]
        evening = morning + timedelta(days=1, minutes=20)
        submit(games, evening)
        verify_entered(evening)
        _examine(daily, with_bets, evening)
    return people


def _people(crowd: int, since: datetime) -> dict[str, Player]:
    names = [f"{NAMES[place % len(NAMES)]} {place // len(NAMES) + 1}".removesuffix(" 1") for place in range(crowd)]
    named = [*names, CHAMPION.name, *(cheat.name for cheat in CHEATS)]
    made = [Player(username=_handle(name), display_name=name, date_joined=since, claimed_at=since) for name in named]
    Player.objects.bulk_create(made)
    by_handle = {player.username: player for player in Player.objects.filter(username__in=map(_handle, named))}
    for handle in SHARE_A_TABLET:
        remember([(by_handle[handle].pk, "192.0.2.7", "one tablet")], since)
    for handle in SHARE_AN_ADDRESS:
        if handle in by_handle:
            remember([(by_handle[handle].pk, "192.0.2.200", "")], since)
    return {name: by_handle[_handle(name)] for name in named}


def _regulars(people: dict[str, Player]) -> dict[str, Player]:
    """Return the first of the crowd with those planted in it, in the order of all."""
    crowd = len(people) - 1 - len(CHEATS)
    return {name: people[name] for place, name in enumerate(people) if not REGULARS <= place < crowd}


def _handle(name: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name.lower())


def _daily(morning: datetime) -> DailyDeal:
    with override_settings(PYRAMID_DAILY_RULE_SETS=[RULES]):  # a quarter of the time goes to those that nobody plays
        prepared_dailies(morning)
    return DailyDeal.objects.select_related("deal").get(day=morning.date(), rules=RULES, division=DIVISION)


def _games_of(daily: DailyDeal, morning: datetime, people: dict[str, Player], dice: Random) -> Iterator[Game]:
    """Yield a day's games, the crowd's first."""
    kitchen = Kitchen(daily, dice)
    known = {own.name: own for own in (CHAMPION, *CHEATS)}
    for name, player in people.items():
        own = known.get(name) or Somebody(name, dice.choice(STYLES))
        if name not in known and name not in COPIED and dice.random() < DAY_OFF:
            continue
        choices = kitchen.last[own.copies] if own.copies in kitchen.last else kitchen.choices(own.style)
        kitchen.last[name] = choices
        hand = BOT if own.is_bot else person(dice)
        hour = dice.randrange(5, 20) if own.hour is None else own.hour
        start = morning + timedelta(hours=hour, minutes=dice.randrange(60))
        yield store_game(kitchen, player, start, kitchen.timed(choices, replace(hand, clock=hand.clock * own.clock)))


def _examine(daily: DailyDeal, with_bets: set[int], now: datetime) -> None:
    """Let the detectors look at a day, at the bets of a few accounts only."""
    table, runs = table_of(daily), Runs()
    for game in daily.attempts.select_related("player", "daily", "deal").order_by("started_at"):
        Examination.objects.create(game=game, player=game.player, version=VERSION, at=now)
        runs.add(examine(game, table if game.player_id in with_bets else replace(table, orders=None), now))
    runs.save(now)
