"""Positions drawn by hand, and moves written as texts."""

from __future__ import annotations

from games.rules import IllegalMove, Move, Position, RuleSet


def legal(text: str, rules: RuleSet) -> str:
    """The legal moves of a drawn position, as a line."""
    return " ".join(move.text for move in Position.from_text(text, rules).legal_moves)


def after(text: str, rules: RuleSet, *moves: str) -> str:
    """The position that moves lead to from a drawn one."""
    position = Position.from_text(text, rules)
    for move in moves:
        position = position.after(Move.from_text(move, decks=rules.decks))
    return position.text


def refusal(text: str, rules: RuleSet, move: str) -> str:
    """The reason for which a move is refused in a drawn position."""
    try:
        after(text, rules, move)
    except IllegalMove as error:
        return str(error)
    raise AssertionError(f"{move} is legal in {text}")


def outcome(text: str, rules: RuleSet) -> str | None:
    return Position.from_text(text, rules).outcome
