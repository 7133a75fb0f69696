"""Grade how hard a deal is for people, by letting a careless and a careful player play it in many random orders.

The grade takes part in choosing the deal of a day, so anyone must be able to recompute it. docs/proofs.md has the
recipe; after a change to it, deals already committed to would no longer verify.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from games.deals.shuffle import bytes_from, shuffled
from games.rules import Deck, Kind, Move, Position, RuleSet

ORDERS = 24
"""Number of random orders of the unseen cards; each player plays each of them once."""

Choose = Callable[[Position, list[Move]], Move]


class Grade(StrEnum):
    """The difficulty of a deal for a person."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Limits(NamedTuple):
    """The limits between the grades of a rule set, as numbers of wins out of `ORDERS`.

    A deal is hard if the careful player wins it fewer than `careful` times, or else easy if the careless player wins
    it at least `careless` times, or else medium.
    """

    careless: int
    careful: int


LIMITS = {
    "standard": Limits(careless=17, careful=11),
    "covered-pairs": Limits(careless=23, careful=20),
    "relaxed": Limits(careless=9, careful=8),
    "single-pass": Limits(careless=1, careful=1),
    "king-tut": Limits(careless=1, careful=1),
    "tuts-tomb": Limits(careless=3, careful=1),
    "three-piles": Limits(careless=2, careful=1),
    "giza": Limits(careless=1, careful=1),
    "triangle": Limits(careless=7, careful=4),
    "seven-reserve": Limits(careless=1, careful=1),
    "par-pyramid": Limits(careless=4, careful=2),
}
OTHER_LIMITS = Limits(careless=17, careful=11)


@dataclass(frozen=True, slots=True)
class Measures:
    """The results of simple players on a deal.

    `careless_wins` and `careful_wins` are out of `ORDERS`. `greedy_moves` is the number of moves in which a greedy
    player wins the deal in its true order, None if it loses; no grade depends on it.
    """

    careless_wins: int
    careful_wins: int
    greedy_moves: int | None

    def grade(self, slug: str) -> Grade:
        """Return the grade of a winnable deal of a rule set."""
        limits = LIMITS.get(slug, OTHER_LIMITS)
        if self.careful_wins < limits.careful:
            return Grade.HARD
        return Grade.EASY if self.careless_wins >= limits.careless else Grade.MEDIUM


def measure(deck: Deck, rules: RuleSet) -> Measures:
    """Let simple players play a deal. The result depends on the deck alone."""
    careless, careful = wins(deck, rules)
    return Measures(careless, careful, _moves_to_win(Position.deal(deck, rules), greediest))


def grade_of(deck: Deck, rules: RuleSet) -> Grade:
    """Return the grade of a winnable deal, playing no more games than are needed to decide it."""
    limits = LIMITS.get(rules.slug, OTHER_LIMITS)
    careless = careful = 0
    for number, (careless, careful) in enumerate(_rounds(deck, rules), start=1):
        left = ORDERS - number
        if careful + left < limits.careful:
            return Grade.HARD
        if careful >= limits.careful and careless >= limits.careless:
            return Grade.EASY
        if careful >= limits.careful and careless + left < limits.careless:
            return Grade.MEDIUM
    return Measures(careless, careful, None).grade(rules.slug)


def wins(deck: Deck, rules: RuleSet) -> tuple[int, int]:
    """Return the wins of the careless and of the careful player, out of `ORDERS` games each."""
    *_, both = _rounds(deck, rules)
    return both


def _rounds(deck: Deck, rules: RuleSet) -> Iterator[tuple[int, int]]:
    """Yield the wins of both players so far, after each order.

    Each order is a fresh shuffle of the sorted unseen cards, and the random numbers depend only on what can be seen
    at the start: otherwise a grade published before its day would reveal something about the hidden cards.
    """
    start = Position.deal(deck, rules)
    in_sight = frozenset(start.in_sight)
    as_seen, unseen = start.seen_by(in_sight), sorted(set(deck.cards) - in_sight, key=lambda card: card.index)
    dice = bytes_from(f"pyramid/grade/1|{rules.slug}|{deck.seen_by(in_sight).text}")
    careless = careful = 0
    for _ in range(ORDERS):
        position = as_seen.filled(shuffled(unseen, dice)) if unseen else start
        careless += _moves_to_win(position, _any_of(dice)) is not None
        careful += _moves_to_win(position, _most_promising_of(dice)) is not None
        yield careless, careful


def greediest(position: Position, removals: list[Move]) -> Move:
    """Return the removal of the most tableau cards; ties go to the first in text order."""
    return max(removals, key=lambda move: _tableau_cards(position, move))


def _any_of(dice: Iterator[int]) -> Choose:
    return lambda _, removals: _drawn(removals, dice)


def _most_promising_of(dice: Iterator[int]) -> Choose:
    """Choose at random among the removals that take the most tableau cards and then leave the most uncovered."""

    def choose(position: Position, removals: list[Move]) -> Move:
        longest = _best(removals, partial(_tableau_cards, position))
        return _drawn(_best(longest, partial(_uncovered_after, position)), dice)

    return choose


def _best(removals: list[Move], value: Callable[[Move], int]) -> list[Move]:
    """Return the removals of the highest value; one alone needs none, and to look ahead takes longest."""
    if len(removals) == 1:
        return removals
    values = [value(move) for move in removals]
    highest = max(values)
    return [move for move, its_value in zip(removals, values, strict=True) if its_value == highest]


def _drawn(moves: list[Move], dice: Iterator[int]) -> Move:
    return moves[next(dice) % len(moves)]


def _tableau_cards(position: Position, move: Move) -> int:
    return position.layout.places_of(move.cards).bit_count()


def _uncovered_after(position: Position, move: Move) -> int:
    gone = position.layout.places_of(move.cards)
    return sum(len(shape.without(gone).exposed) for shape in position.shapes)


def _moves_to_win(position: Position, choose: Choose) -> int | None:
    """Remove whenever possible, otherwise draw, until the win or a pass without a removal."""
    moves = idle = 0
    most_idle = position.rules.stock_size + 2
    while not position.is_won:
        legal = position.legal_moves
        removals = [move for move in legal if move.kind is Kind.REMOVE]
        others = [] if removals else [move for move in legal if not move.cards]
        if idle > most_idle or not (removals or others):
            return None
        idle = 0 if removals else idle + 1
        position = position.after(choose(position, removals) if removals else others[0])
        moves += 1
    return moves
