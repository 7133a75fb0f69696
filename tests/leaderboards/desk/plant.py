"""Fill a database with a crowd and cheats that played the last days: `python -m tests.leaderboards.desk.plant`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from games.models import DailyDeal, Game, Player
    from tests.integrity.hands import Hand
    from tests.integrity.styles import Choices

RULES, DIVISION = "standard", "open"
STYLES = ("careless", "casual")
NAMES = (
    *("Mira", "Oskar", "Tomoko", "Bez", "Ines", "Juha", "Leila", "Pavel", "Zoë", "Kestrel", "Dune", "Basalt"),
    *("Sandfly", "Tallow", "Heron Bay", "Wilhelmina van der Meer-Okonkwo", "Otter", "Finch", "Marlow", "Nadia"),
)
PASSWORD = "a good long password"


@dataclass(frozen=True, slots=True)
class Planted:
    """Somebody who plays every day: the style, the hand (None: some person's) and how long after the others."""

    name: str
    style: str
    bot_hand: str = ""
    clock: float = 1.0
    hour: int | None = None
    copies: str = ""


CHAMPION = Planted("Amenhotep", "thinker")
CHEATS = (
    Planted("Quill", "perfect", bot_hand="bot"),
    Planted("Wren", "perfect"),
    Planted("Pebble", "draws first", hour=3),
    Planted("Magpie", "casual", hour=21, copies="Mira"),
    Planted("Tortoise", "perfect", clock=0.9),
)

FULLY = ("Wren", "Amenhotep")
COPIED = {cheat.copies for cheat in CHEATS}


def plant(crowd: int, days: int, now: datetime, dice: Random) -> dict[str, Player]:
    """Let a crowd, a champion and some cheats play the days before `now`; return the players by name."""
    from leaderboards.services.submission import submit  # noqa: PLC0415
    from leaderboards.services.verifying import verify_entered  # noqa: PLC0415

    people = _people(crowd, now - timedelta(days=days + 30))
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for ago in range(days, 0, -1):
        morning = today - timedelta(days=ago)
        daily = _daily(morning)
        games = [game.pk for game in _games_of(daily, morning, people, dice)]
        evening = morning + timedelta(days=1, minutes=20)
        submit(games, evening)
        verify_entered(evening)
        _examine(daily, {people[name].pk for name in FULLY}, evening)
    return people


def _examine(daily: DailyDeal, fully: set[int], now: datetime) -> None:
    """Let the detectors look at a day; the bet, which takes seconds a game, at a few accounts only."""
    from leaderboards.models import Examination  # noqa: PLC0415
    from leaderboards.detectors.accounts import version_of  # noqa: PLC0415
    from leaderboards.detectors.thresholds import THRESHOLDS  # noqa: PLC0415
    from leaderboards.review.examining import examine  # noqa: PLC0415
    from leaderboards.review.playing import table_of  # noqa: PLC0415

    table = table_of(daily)
    for game in daily.attempts.select_related("player", "daily", "deal").order_by("started_at"):
        Examination.objects.create(game=game, player=game.player, version=version_of(THRESHOLDS), at=now)
        examine(game, table if game.player_id in fully else replace(table, orders=None), now)


def _people(crowd: int, since: datetime) -> dict[str, Player]:
    from games.models import Player  # noqa: PLC0415
    from leaderboards.review.links import remember  # noqa: PLC0415

    names = [
        NAMES[place % len(NAMES)] + (f" {place // len(NAMES) + 1}" if place >= len(NAMES) else "")
        for place in range(crowd)
    ]
    named = [*names, CHAMPION.name, *(cheat.name for cheat in CHEATS)]
    made = [
        Player(
            username="".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower()),
            display_name=name,
            date_joined=since,
            claimed_at=since,
        )
        for name in named
    ]
    Player.objects.bulk_create(made)
    for handle in ("wren", "pebble"):
        remember(Player.objects.get(username=handle).pk, "192.0.2.7", "one tablet", since)
    for handle in ("mira", "oskar", "tomoko", "wren"):
        remember(Player.objects.get(username=handle).pk, "192.0.2.200", "", since)
    return dict(zip(named, made, strict=True))


def _daily(morning: datetime) -> DailyDeal:
    from games.models import DailyDeal  # noqa: PLC0415
    from games.services.dailies import ensure_dailies  # noqa: PLC0415

    ensure_dailies(morning)
    return DailyDeal.objects.select_related("deal").get(day=morning.date(), rules=RULES, division=DIVISION)


def _games_of(daily: DailyDeal, morning: datetime, people: dict[str, Player], dice: Random) -> Iterator[Game]:
    """Yield a day's games, the crowd's first; each play of a style is shared by some."""
    from games.rules import Deck, Position  # noqa: PLC0415
    from tests.integrity.hands import BOT, SLOW_CLOCK, STEADY_BOT, person  # noqa: PLC0415, F401

    deal = Position.deal(Deck.from_text(daily.deal.deck), daily.deal.rule_set)
    kitchen = _Kitchen(deal, dice)
    cheats = {cheat.name: cheat for cheat in (CHAMPION, *CHEATS)}
    for name, player in people.items():
        own = cheats.get(name)
        if own is None and name not in COPIED and dice.random() < 0.15:
            continue  # a day off
        style = own.style if own else dice.choice(STYLES)
        choices = kitchen.choices(style) if not (own and own.copies) else kitchen.last[own.copies]
        kitchen.last[name] = choices
        hand = BOT if own and own.bot_hand else person(dice)
        hand = replace(hand, clock=hand.clock * own.clock) if own else hand
        hour = own.hour if own and own.hour is not None else dice.randrange(5, 20)
        yield _game(
            daily, player, morning + timedelta(hours=hour, minutes=dice.randrange(60)), kitchen.timed(choices, hand)
        )


class _Kitchen:
    """Plays of one deal, made once for each style and variant."""

    def __init__(self, deal: object, dice: Random) -> None:
        from games.solver.orders import Pyramid  # noqa: PLC0415

        self.deal, self.dice = deal, dice
        self.pyramid = Pyramid(deal)  # type: ignore[arg-type]
        self.last: dict[str, Choices] = {}
        self._made: dict[tuple[str, int], Choices] = {}

    def choices(self, style: str) -> Choices:
        from tests.integrity import styles  # noqa: PLC0415

        variant = self.dice.randrange(6) if style in STYLES else 0
        key = style, variant
        if key not in self._made:
            self._made[key] = styles.Chooser(self.deal, self.pyramid, styles.STYLES[style], self.dice).play()  # type: ignore[arg-type]
        return self._made[key]

    def timed(self, choices: Choices, hand: Hand) -> tuple[Choices, list[int], tuple[int, ...]]:
        from leaderboards.detectors.games import RankedGame  # noqa: PLC0415
        from tests.integrity.hands import client_times, times  # noqa: PLC0415
        from tests.integrity.store import played  # noqa: PLC0415

        game = RankedGame("", "", "", 0, played(self.deal, choices))  # type: ignore[arg-type]
        server = list(times(game.steps, hand, self.dice))
        return choices, server, client_times(server, hand, self.dice)


def _game(daily: DailyDeal, player: Player, start: datetime, timed: tuple[Choices, list[int], tuple[int, ...]]) -> Game:
    """Store a finished attempt with its log."""
    from games.models import Game, Move  # noqa: PLC0415
    from games.rules import Deck, Position  # noqa: PLC0415
    from tests.integrity.store import played  # noqa: PLC0415

    choices, server, client = timed
    play = played(Position.deal(Deck.from_text(daily.deal.deck), daily.deal.rule_set), choices, server)
    game = Game.objects.create(player=player, deal=daily.deal, daily=daily, created_at=start, started_at=start)
    Move.objects.bulk_create(
        Move(game=game, version=place + 1, action=action.text, at_ms=server[place], client_ms=client[place])
        for place, action in enumerate(choices.actions)
    )
    assert play.result is not None
    counts = {
        kind: sum(action.text == text for action in choices.actions)
        for kind, text in (("draws", "D"), ("recycles", "R"), ("undos", "U"), ("hints", "H"))
    }
    elapsed = server[-1] if server else 0
    for field, value in {
        "status": play.result.value,
        "finished_at": start + timedelta(milliseconds=elapsed),
        "elapsed_ms": elapsed,
        "moves": play.moves,
        "cards_left": play.position.cards_left,
        "hasty": 0,
        **counts,
    }.items():
        setattr(game, field, value)
    game.save()
    return game


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    from games.models import Player  # noqa: PLC0415

    crowd, days = (int(text) for text in (*sys.argv[1:], "40", "6")[:2])
    plant(crowd, days, datetime.now(UTC), Random("a planted day"))
    Player.objects.create_superuser("robin", display_name="Robin", password=PASSWORD)


if __name__ == "__main__":
    main()
