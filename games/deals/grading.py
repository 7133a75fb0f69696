"""How hard a deal is, from what simple players make of it and the shortest solution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from games.deals.shuffle import bytes_from
from games.rules import Deck, Kind, Move, Position, RuleSet

CARELESS_PLAYS = 200
Choose = Callable[[Position, list[Move]], Move]


class Grade(StrEnum):
    """Three grades; docs/solver.md argues for the measure and the limits between them."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


FEWEST_CARELESS_WINS = {Grade.EASY: 150, Grade.MEDIUM: 40, Grade.HARD: 0}


@dataclass(frozen=True, slots=True)
class Measures:
    """What simple players make of a deal.

    `greedy_moves` is the length of the greedy player's win, None if it does not win; `careless_wins` how many of
    `CARELESS_PLAYS` plays are won that remove at random whatever can be removed.
    """

    greedy_moves: int | None
    careless_wins: int


def grade_of(careless_wins: int) -> Grade:
    """Return the grade of a deal that can be won, from how often careless play wins it."""
    return next(grade for grade, fewest in FEWEST_CARELESS_WINS.items() if careless_wins >= fewest)


def careless_wins_of(grade: Grade) -> range:
    """Return how many careless wins the deals of a grade have."""
    above = [fewest for fewest in FEWEST_CARELESS_WINS.values() if fewest > FEWEST_CARELESS_WINS[grade]]
    return range(FEWEST_CARELESS_WINS[grade], min(above, default=CARELESS_PLAYS + 1))


def measure(deck: Deck, rules: RuleSet) -> Measures:
    """Play a deal by simple policies. The same deck always gives the same measures."""
    start, chance = Position.deal(deck, rules), bytes_from(deck.text)

    def choose_at_random(_: Position, removals: list[Move]) -> Move:
        return removals[next(chance) % len(removals)]

    careless = [_moves_to_win(start, choose_at_random) for _ in range(CARELESS_PLAYS)]
    wins = sum(moves is not None for moves in careless)
    return Measures(_moves_to_win(start, greediest), wins)


def greediest(position: Position, removals: list[Move]) -> Move:
    """Return the removal that takes the most tableau cards, the first by text among equals."""
    tableau = position.layout.place_of
    return max(removals, key=lambda move: sum(card in tableau for card in move.cards))


def _moves_to_win(position: Position, choose: Choose) -> int | None:
    """Remove whenever something can be removed, else go on in the stock, until the win or a pass without a removal."""
    moves = idle = 0
    patience = position.rules.stock_size + 2
    while not position.is_won:
        removals = [move for move in position.legal_moves if move.kind is Kind.REMOVE]
        others = [move for move in position.legal_moves if not move.cards]
        if idle > patience or not (removals or others):
            return None
        idle = 0 if removals else idle + 1
        position = position.after(choose(position, removals) if removals else others[0])
        moves += 1
    return moves
