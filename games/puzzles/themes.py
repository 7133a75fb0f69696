"""The themes of a puzzle: what its first removal has in common with those of others, each by a rule."""

from __future__ import annotations

from enum import StrEnum

from games.puzzles.clearing import outside, pyramid_cards, removals, without
from games.puzzles.packing import Packed
from games.rules import Card, Move, Position
from games.rules.rulesets import KING


class Theme(StrEnum):
    """The subject of a puzzle. One puzzle may have several."""

    KING = "king"
    PAIR = "pair"
    WHICH = "which"
    LAST = "last"
    BURIED = "buried"
    SERIES = "series"


def themes_of(puzzle: Packed) -> list[Theme]:
    """Return the themes of a puzzle, in their order."""
    position, right = puzzle.position, puzzle.win[0]
    taken = pyramid_cards(position, right)
    wrong = [move for move in removals(position) if pyramid_cards(position, move) != taken]
    sharing = [len(pyramid_cards(position, move)) for move in wrong if pyramid_cards(position, move) & taken]
    holds = {
        Theme.KING: right.cards[0].rank == KING,
        Theme.PAIR: len(taken) == 2 and 1 in sharing,
        Theme.WHICH: any(_ranks(position, move) == _ranks(position, right) for move in wrong),
        Theme.LAST: any(takes_last(position, move) for move in wrong),
        Theme.BURIED: any(buried_card(without(position, move)) for move in wrong),
        Theme.SERIES: puzzle.decisions > 1,
    }
    return [theme for theme, is_so in holds.items() if is_so]


def buried_card(position: Position) -> tuple[Card, list[Card]] | None:
    """Return a pyramid card that can never leave, with its partners: each lies above it or below it.

    The first in dealing order, None if no card is lost like this.
    """
    ranks = {card.rank for card in outside(position)}
    tableau = position.tableau
    for place, card in enumerate(tableau):
        if card is None or card.rank == KING or KING - card.rank in ranks:
            continue
        partners = [at for at, other in enumerate(tableau) if other and other.rank == KING - card.rank]
        if all(place in _above(position, at) or at in _above(position, place) for at in partners):
            return card, [other for at in partners if (other := tableau[at])]
    return None


def _above(position: Position, place: int) -> set[int]:
    """Return the places whose cards have to leave before that of a place is free."""
    above: set[int] = set()
    waiting = [place]
    while waiting:
        covers = set(position.covers(waiting.pop())) - above
        above |= covers
        waiting += covers
    return above


def takes_last(position: Position, move: Move) -> bool:
    """Return True if a move takes the last card of its rank outside the pyramid while the pyramid needs one more."""
    later = without(position, move)
    spent = [card.rank for card in move.cards if card not in pyramid_cards(position, move)]
    left = {card.rank for card in outside(later)}
    return any(rank not in left and any(card and card.rank == KING - rank for card in later.tableau) for rank in spent)


def _ranks(position: Position, move: Move) -> list[int]:
    return sorted(card.rank for card in pyramid_cards(position, move))
