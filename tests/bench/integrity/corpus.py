"""Accounts of a corpus: who plays in which style with which hand, and their games as the detectors see them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from games.rules import Deck, Play, Position
from games.rules.play import TimedAction
from leaderboards.detectors.accounts import Evidence, Known, evidence_of
from leaderboards.detectors.games import RankedGame
from tests.integrity.hands import BOT, SLOW_CLOCK, STEADY_BOT, Hand, client_times, person, times
from tests.integrity.store import RULES, StoredDeal, StoredPlay, played

DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Role:
    """A kind of account: the styles it plays in, `until` a game the first and then the other, and its hand."""

    name: str
    is_honest: bool
    style: str
    later_style: str = ""
    until: int = 0
    hand: Hand | None = None  # None: some person's
    clock: float = 1.0
    has_scout: bool = False

    def style_of(self, game: int) -> str:
        return self.later_style if self.later_style and game >= self.until else self.style


HONEST_ROLES = tuple(Role(name, True, name) for name in ("careless", "casual", "thinker", "champion", "draws first"))
CHEATING_ROLES = (
    Role("bot", False, "perfect", hand=BOT),
    Role("steady bot", False, "perfect", hand=STEADY_BOT),
    Role("perfect, human hand", False, "perfect"),
    Role("slips 10 %, human hand", False, "slips 10 %"),
    Role("slips 20 %, human hand", False, "slips 20 %"),
    Role("sees three, human hand", False, "sees three"),
    Role("scout, human hand", False, "perfect", has_scout=True),
    Role("slow clock, human hand", False, "perfect", clock=SLOW_CLOCK),
    Role("starts after 15 games", False, "casual", "perfect", 15),
)


class Table:
    """The stored deals and plays, each replayed once."""

    def __init__(self, deals: Sequence[StoredDeal]) -> None:
        self.deals = [_Deal(stored) for stored in deals]

    def games(self, role: Role, account: str, number: int, dice: Random) -> Iterator[tuple[RankedGame, Evidence]]:
        """Return an account's games with their evidence, on a number of deals in a random order, one a day."""
        hand = replace(role.hand or person(dice))
        hand = replace(hand, clock=hand.clock * role.clock)
        deals = dice.sample(range(len(self.deals)), min(number, len(self.deals)))
        for place, deal in enumerate(deals):
            play = dice.choice(self.deals[deal].plays[role.style_of(place)])
            start = place * DAY_MS + DAY_MS // 2 + dice.randrange(DAY_MS // 2)
            game = _timed(play.game, f"{account}-{place}", account, start, hand, dice)
            yield game, self._evidence(game, play, role, deal)

    def _evidence(self, game: RankedGame, play: _Play, role: Role, deal: int) -> Evidence:
        linked: tuple[tuple[RankedGame, float], ...] = ()
        if role.has_scout:
            scout = self.deals[deal].plays["draws first"][0].game
            linked = ((replace(scout, account="scout", started_ms=game.started_ms - DAY_MS // 4), 1.0),)
        bets = tuple(bet.settled(play.stock[bet.seen]) for bet in play.stored.placed)
        return replace(evidence_of(game, Known(linked=linked)), bets=bets)


@dataclass(frozen=True)
class _Play:
    """A stored play, replayed once without its times."""

    stored: StoredPlay
    deal: Position
    name: str
    par: int

    @cached_property
    def game(self) -> RankedGame:
        return RankedGame("", "", self.name, 0, played(self.deal, self.stored.choices()), self.par)

    @cached_property
    def stock(self) -> list[int]:
        return [card.rank for card in self.deal.stock]


class _Deal:
    def __init__(self, stored: StoredDeal) -> None:
        deal = Position.deal(Deck.from_text(stored.deck), RULES)
        self.plays = {
            style: [_Play(play, deal, stored.deck, stored.par) for play in plays]
            for style, plays in stored.plays.items()
        }


def _timed(game: RankedGame, name: str, account: str, started_ms: int, hand: Hand, dice: Random) -> RankedGame:
    """Return a game with the times of a hand, without replaying it."""
    server = list(times(game.steps, hand, dice))
    play: Play = copy(game.play)
    play.actions = [TimedAction(step.action, at) for step, at in zip(game.steps, server, strict=True)]
    timed = replace(
        game, id=name, account=account, started_ms=started_ms, play=play, client_ms=client_times(server, hand, dice)
    )
    timed.__dict__["steps"] = tuple(replace(step, at_ms=at) for step, at in zip(game.steps, server, strict=True))
    return timed
