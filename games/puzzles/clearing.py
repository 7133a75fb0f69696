"""Removals from the pyramid, whatever the stock does.

Under `standard` the stock goes round without limit, so that draws never lose anything: every card outside the pyramid
comes up again. What matters is which pyramid cards leave, alone or together.
"""

from collections.abc import Iterable
from dataclasses import replace

from games.puzzles.refusals import NotARemoval
from games.rules import DRAW, RECYCLE, Card, Move, NotationError, Position
from games.rules.moves import pair_move
from games.rules.rulesets import KING


def removals(position: Position) -> list[Move]:
    """Return the removals from the pyramid that draws can bring: one for all that take the same pyramid cards.

    Of several partners outside the pyramid, the move has the one that comes up first.
    """
    exposed = position.layout.exposed(position.shapes, position.rules)
    first = {card.rank: card for card in reversed(outside(position))}
    with_outside = [pair_move(card, first[KING - card.rank]) for card in exposed.cards if KING - card.rank in first]
    return [*exposed.removals, *with_outside]


def outside(position: Position) -> list[Card]:
    """Return the cards outside the pyramid in the order in which draws bring them up."""
    waste = position.wastes[0]
    return [*waste[-1:], *position.stock, *waste[:-1]]


def pyramid_cards(position: Position, move: Move) -> frozenset[Card]:
    """Return the cards that a removal takes from the pyramid."""
    return frozenset(card for card in move.cards if position.layout.place_of(card) is not None)


def removal_of(position: Position, text: str) -> Move:
    """Read a removal that draws can bring. Raises `NotARemoval`."""
    try:
        move = Move.from_text(text, decks=1)
    except NotationError as error:
        raise NotARemoval(str(error)) from error
    taken = pyramid_cards(position, move)
    if not taken:
        raise NotARemoval(f"{move.text} takes no card of the pyramid")
    same = same_removal(position, taken)
    rest = set(move.cards) - taken
    if sorted(card.rank for card in move.cards) != sorted(card.rank for card in same.cards) or not rest <= set(
        outside(position)
    ):
        raise NotARemoval(f"{move.text} cannot leave the pyramid here")
    return move


def without(position: Position, move: Move) -> Position:
    """Return the position that a removal leaves, as if no draw were needed: whether it can be won does not change."""
    gone = position.layout.places_of(move.cards)
    return replace(
        position,
        shapes=tuple(shape.without(gone) for shape in position.shapes),
        wastes=tuple(tuple(card for card in pile if card not in move.cards) for pile in position.wastes),
        stock=tuple(card for card in position.stock if card not in move.cards),
    )


def with_draws(position: Position, removed: Iterable[Move]) -> list[Move]:
    """Return the moves that take the same pyramid cards as some removals, one after another, with all draws."""
    moves: list[Move] = []
    for removal in removed:
        move = same_removal(position, pyramid_cards(position, removal))
        while not position.allows(move):
            moves.append(DRAW if position.stock else RECYCLE)
            position = position.after(moves[-1])
        moves.append(move)
        position = position.after(move)
    return moves


def same_removal(position: Position, cards: frozenset[Card]) -> Move:
    """Return the removal that takes these cards from the pyramid. Raises `NotARemoval`."""
    for move in removals(position):
        if pyramid_cards(position, move) == cards:
            return move
    raise NotARemoval(f"{' '.join(sorted(card.text for card in cards))} cannot leave the pyramid here")
