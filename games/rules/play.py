"""A play: a position with its history, its clock readings and what its player has seen."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from games.rules.cards import CARDS, UNSEEN, Card
from games.rules.errors import GameOver, IllegalMove
from games.rules.moves import HINT, REDO, UNDO, Action, Kind, Move
from games.rules.pace import Paced, hasty_actions
from games.rules.position import Outcome, Position

MOST_BEFORE = 4  # positions that a play keeps for undos; it makes earlier ones again


class TimedAction(NamedTuple):
    """An accepted action and when it was accepted, in milliseconds since the play started."""

    action: Action
    at_ms: int


class Play:
    """One game being played from a position.

    `version` is the number of actions, `moves` the move count (all but hints), `seen` every card that has
    been face up, `result` None until the play has ended. A refused action changes nothing.
    """

    __slots__ = (
        "_before",
        "_dealt",
        "_hints",
        "_is_stuck",
        "_line",
        "_seen",
        "_undone",
        "actions",
        "position",
        "result",
        "start",
        "version",
    )

    def __init__(self, start: Position) -> None:
        self.start = start
        self.position = start
        self.actions: list[TimedAction] = []
        self.version = 0
        self._seen = 0  # a bit for each card: many plays are kept in memory at once
        self.result: Outcome | None = None
        # The moves in effect and those undone; only before the last few in effect the positions too, which are large.
        self._line: list[Move] = []
        self._undone: list[Move] = []
        self._before: list[Position] = []
        self._hints = 0
        self._dealt = _dealt_bits(start)
        self._is_stuck = False  # kept once found: moves do not lead out of a stuck position, only undo does
        self._see(start.in_sight)

    def do(self, action: Action, at_ms: int) -> tuple[Card, ...]:
        """Carry out an action and return the cards that it turned face up for the first time.

        `at_ms` may not lie before the previous action's. Raises `IllegalMove`, or `GameOver` after the end.
        """
        if self.result is not None:
            raise GameOver(f"{action.text}: the game has ended: {self.result}")
        if at_ms < self.elapsed_ms:
            raise ValueError(f"the clock ran backwards: {at_ms} ms after {self.elapsed_ms} ms")
        self._apply(action)
        self.actions.append(TimedAction(action, at_ms))
        self.version += 1
        if action is HINT:
            self._hints += 1
        if self.position.is_won:
            self.result = Outcome.WON
        return self._see(self.position.just_turned)

    def undo(self, at_ms: int) -> tuple[Card, ...]:
        """Undo the last move in effect; counts as a move."""
        return self.do(UNDO, at_ms)

    def redo(self, at_ms: int) -> tuple[Card, ...]:
        """Redo the move that was undone last; counts as a move."""
        return self.do(REDO, at_ms)

    def end(self, result: Outcome) -> None:
        """End a play that is not won: stuck, resigned or expired."""
        if self.result is not None:
            raise GameOver(f"the game has ended: {self.result}")
        self.result = result

    def resign(self) -> None:
        """Give up; the result is `STUCK` where the player can tell that the position is."""
        self.end(self.outcome or Outcome.RESIGNED)

    def up_to(self, version: int) -> Play:
        """Return this play as it was after its first `version` actions."""
        earlier = Play(self.start)
        for timed in self.actions[:version]:
            earlier.do(*timed)
        return earlier

    @property
    def seen(self) -> frozenset[Card]:
        return frozenset(card for card in CARDS if self._seen >> card.index & 1)

    @property
    def unseen(self) -> frozenset[Card]:
        """The cards that the player has never seen; each may lie in any place where one of them lies."""
        cards, bits = [], self._dealt & ~self._seen
        while bits:
            cards.append(CARDS[bits.bit_length() - 1])
            bits ^= 1 << cards[-1].index
        return frozenset(cards)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the position as far as its player can tell.

        `STUCK` only if no removal can be reached whatever the order of the unseen cards, so it reveals none of them.
        """
        if self.position.is_won:
            return Outcome.WON
        if not self._is_stuck and not any(move.kind is Kind.REMOVE for move in self.position.legal_moves):
            self._is_stuck = self.position.is_stuck(self.unseen)
        return Outcome.STUCK if self._is_stuck else None

    @property
    def moves(self) -> int:
        return self.version - self._hints

    @property
    def depth(self) -> int:
        """The number of moves in effect: made or redone, and not undone."""
        return len(self._line)

    @property
    def elapsed_ms(self) -> int:
        """The time of the last action."""
        return self.actions[-1].at_ms if self.actions else 0

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The moves that may be made now; none after the end."""
        return self.position.legal_moves if self.result is None else ()

    @property
    def view(self) -> Position:
        """The position as its player knows it."""
        return self.position.seen_by(self.seen)

    def count(self, kind: Kind) -> int:
        """Return how many accepted actions were of this kind."""
        return sum(timed.action.kind is kind for timed in self.actions)

    @property
    def hasty(self) -> int:
        """The number of accepted actions that came faster than a person acts."""
        paced = [Paced(action.kind is Kind.REMOVE, at_ms) for action, at_ms in self.actions]
        return hasty_actions(paced, is_won=self.position.is_won)

    def _apply(self, action: Action) -> None:
        if isinstance(action, Move):
            self._move(action)
            self._undone.clear()
        elif action.kind is Kind.UNDO:
            self._undo()
        elif action.kind is Kind.REDO:
            if not self._undone:
                raise IllegalMove(action.text, "there is nothing to redo")
            self._move(self._undone.pop())

    def _move(self, move: Move) -> None:
        after = self.position.after(move)
        self._line.append(move)
        self._before.append(self.position)
        if len(self._before) > MOST_BEFORE:
            del self._before[0]
        self.position = after

    def _undo(self) -> None:
        if not self._line:
            raise IllegalMove(UNDO.text, "there is nothing to undo")
        if not self._before:
            self._before = self._last_before()
        self._undone.append(self._line.pop())
        self.position = self._before.pop()
        self._is_stuck = False

    def _last_before(self) -> list[Position]:
        """Make the positions before the last moves in effect again."""
        positions, position = deque[Position](maxlen=MOST_BEFORE), self.start
        for move in self._line:
            positions.append(position)
            position = position.after(move)
        return list(positions)

    def _see(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Mark cards as seen and return those that had never been seen before."""
        new = []
        for card in cards:
            if not self._seen >> card.index & 1:
                self._seen |= 1 << card.index
                new.append(card)
        return tuple(new)


def _dealt_bits(start: Position) -> int:
    """Return a bit for each dealt card: any card of the decks where the position does not show them all."""
    cards = start.cards
    if UNSEEN in cards or len(cards) == start.rules.deck_size:
        return (1 << start.rules.deck_size) - 1
    return sum(1 << card.index for card in cards)
