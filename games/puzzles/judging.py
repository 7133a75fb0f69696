"""Judge what a player removes. Nothing is kept, and the solution is given only once the attempt is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from games.puzzles.clearing import outside, removal_of, without
from games.puzzles.library import Puzzle
from games.puzzles.refusals import NotARemoval
from games.puzzles.themes import buried_card
from games.rules import Card, Move, Position
from games.rules.cards import RANKS
from games.rules.rulesets import KING

CLASSES = range(1, 7)


@dataclass(frozen=True)
class Need:
    """Pairs of two ranks that have to leave inside the pyramid, because partners outside are too few."""

    ranks: str
    pairs: int


@dataclass(frozen=True)
class Loss:
    """The reason why a removal loses: a card that can never leave, or pairs that never come together."""

    buried: Card | None
    partners: list[Card]
    needs: list[Need]


@dataclass(frozen=True)
class Judgement:
    """The verdict on removals: how many of them are right, and the loss if one is wrong."""

    found: int
    is_solved: bool
    loss: Loss | None


def judge(puzzle: Puzzle, texts: Sequence[str]) -> Judgement:
    """Judge the removals of an attempt in their order. Raises `NotARemoval`."""
    if len(texts) > puzzle.decisions:
        raise NotARemoval(f"the puzzle is over after {puzzle.decisions} removals")
    for count, text in enumerate(texts):
        position = puzzle.position_after(count)
        move = removal_of(position, text)
        if not puzzle.is_right(move, count):
            return Judgement(count, is_solved=False, loss=loss_by(position, move))
    return Judgement(len(texts), is_solved=len(texts) == puzzle.decisions, loss=None)


def loss_by(position: Position, move: Move) -> Loss:
    """Return the reason why a wrong removal loses."""
    later = without(position, move)
    buried, partners = buried_card(later) or (None, [])
    return Loss(buried, partners, _needs(later))


def _needs(position: Position) -> list[Need]:
    inside = Counter(card.rank for card in position.tableau if card)
    left = Counter(card.rank for card in outside(position))
    lack = {rank: max(0, inside[rank] - left[KING - rank]) for rank in range(1, KING)}
    pairs = {rank: max(lack[rank], lack[KING - rank]) for rank in CLASSES}
    return [Need(RANKS[rank - 1] + RANKS[KING - rank - 1], count) for rank, count in pairs.items() if count]
