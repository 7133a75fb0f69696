"""Moves and the other actions of a play, each a shared value with one canonical text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import cache

from games.rules.cards import Card, read_places
from games.rules.errors import NotationError


class Kind(Enum):
    DRAW = auto()
    RECYCLE = auto()
    REMOVE = auto()
    PARK = auto()
    UNDO = auto()
    REDO = auto()
    HINT = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """Something a player does to a play. Equal actions are the same object."""

    kind: Kind
    text: str

    @staticmethod
    def from_text(text: str, *, decks: int = 2) -> Action:
        """Read a move, `U` (undo), `Y` (redo) or `H` (hint)."""
        return _BESIDES_MOVES.get(text.strip().upper()) or Move.from_text(text, decks=decks)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Action.from_text, (self.text,)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Move(Action):
    """A change of the position: a draw, a recycle, a removal of one or two cards, or the parking of one."""

    cards: tuple[Card, ...] = ()

    @staticmethod
    def from_text(text: str, *, decks: int = 2) -> Move:
        """Read a move in any spelling, such as `4s9s`, `9s 4s`, `Kd`, `D`, `R` or `P4s`.

        With `decks=1` the case of suits is ignored; otherwise upper case means the second deck.
        """
        stripped = text.strip()
        if (move := _WITHOUT_CARDS.get(stripped.upper())) is not None:
            return move
        park = stripped[:1] in ("P", "p")
        match list(read_places(stripped[park:], decks=decks)):
            case [Card(rank=rank) as card] if rank:
                return park_move(card) if park else solo_move(card)
            case [Card(rank=rank) as card, Card(rank=other_rank) as other] if (
                rank and other_rank and card is not other and not park
            ):
                return pair_move(card, other)
        raise NotationError(f"{text!r} is not a move: write a card, two different cards, D, R or P and a card")


DRAW = Move(Kind.DRAW, "D")
RECYCLE = Move(Kind.RECYCLE, "R")
UNDO = Action(Kind.UNDO, "U")
REDO = Action(Kind.REDO, "Y")
HINT = Action(Kind.HINT, "H")

_WITHOUT_CARDS = {move.text: move for move in (DRAW, RECYCLE)}
_BESIDES_MOVES = {action.text: action for action in (UNDO, REDO, HINT)}


@cache
def solo_move(card: Card) -> Move:
    """Return the removal of one card alone."""
    return Move(Kind.REMOVE, card.text, (card,))


@cache
def park_move(card: Card) -> Move:
    """Return the parking of a card in a cell."""
    return Move(Kind.PARK, f"P{card.text}", (card,))


@cache
def pair_move(a: Card, b: Card) -> Move:
    """Return the removal of two cards together, lower rank first, then lower suit letter."""
    if (b.rank, b.text) < (a.rank, a.text):
        return pair_move(b, a)
    return Move(Kind.REMOVE, a.text + b.text, (a, b))
