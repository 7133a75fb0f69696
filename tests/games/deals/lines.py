"""Lines of play as lists of moves, and the same lines in other cards."""

from games.rules import Deck, Move, Position, RuleSet


def wins(rules: RuleSet, deck: Deck, moves: list[str]) -> bool:
    """Return True if moves, each of which has to be legal, win a deck."""
    position = Position.deal(deck, rules)
    for text in moves:
        move = Move.from_text(text, decks=rules.decks)
        assert move in position.legal_moves
        position = position.after(move)
    return position.is_won


def in_other_cards(moves: list[str], deck: Deck, other: Deck) -> list[str]:
    """Return moves with the cards that another deck has in the same places."""
    renamed = {card.text: new.text for card, new in zip(deck.cards, other.cards, strict=True)}
    return ["".join(renamed.get(text, text) for text in _parts(move)) for move in moves]


def _parts(move: str) -> list[str]:
    """Split a move such as `4s9s`, `Kd`, `D` or `P4s` into its cards and other letters."""
    lead = ["P"] if move.startswith("P") else []
    rest = move[len(lead) :]
    return lead + ([rest] if len(rest) < 2 else [rest[at : at + 2] for at in range(0, len(rest), 2)])
