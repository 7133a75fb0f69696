"""Reasons for refusing a move, in words that name only cards in sight or in the move itself."""

from games.rules.cards import Card
from games.rules.moves import Kind, Move
from games.rules.table import Table


def why_illegal(position: Table, move: Move) -> str:
    """Return the reason why this move, known to be illegal, is refused here."""
    if position.is_won:
        return "the game is won"
    match move.kind:
        case Kind.DRAW:
            return "the stock is empty" if position.rules.has_stock else "this game has no stock"
        case Kind.RECYCLE:
            return _why_no_recycle(position)
        case Kind.PARK if len(position.cells) == position.rules.cells:
            return "no cell is free" if position.rules.cells else "this game has no cells"
    buried = [reason for card in move.cards if (reason := _why_buried(position, card))]
    return "; ".join(buried) or _why_no_match(position, move)


def _why_no_recycle(position: Table) -> str:
    if position.stock:
        return "the stock is not empty"
    return "no pass is left" if position.recycles == 0 else "the waste is empty"


def _why_buried(position: Table, card: Card) -> str | None:
    if card not in position.in_sight:
        return f"{card} is not in sight"
    if card in position.exposed:
        return None
    if (place := position.layout.place_of(card)) is not None and position.holds(place):
        covers = [position.layout.cards[cover].text for cover in position.covers(place)]
        return f"{card} is covered by {' and '.join(covers)}"
    if card in position.stock:
        return f"{card} still lies in the stock"
    above = next(pile[-1] for pile in position.wastes + position.reserve if card in pile)
    return f"{card} lies under {above}"


def _why_no_match(position: Table, move: Move) -> str:
    if move.kind is Kind.PARK:
        return "only a tableau card or the top of the waste can be parked"
    how = "together" if len(move.cards) == 2 else "alone"
    return f"{' and '.join(card.text for card in move.cards)} do{'' if how == 'together' else 'es'} not leave {how}"
