"""Find puzzles in numbered deals, along lines like those of a player: the same ones on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress

from games.deals.shuffle import bytes_from, shuffled_deck
from games.puzzles.clearing import pyramid_cards, removals, without
from games.puzzles.packing import MOST_DECISIONS, RULES, Packed, position_of
from games.rules import Kind, Move, Position
from games.rules.rulesets import KING
from games.solver import VerdictsAfter, solve

LEAST_CHOICES = 3
"""So many removals are possible at the beginning of a puzzle; later, two are enough."""
_HALF = 128


def find_in_deals(deals: Sequence[int]) -> list[Packed | None]:
    """Return the puzzle of each numbered deal, None where there is none."""
    return list(map(find_in_deal, deals))


def find_in_deal(number: int) -> Packed | None:
    """Return a puzzle of a numbered deal: one of those on a player's line, None if there is none."""
    deal = Position.deal(shuffled_deck(bytes_from(f"puzzles|{number}"), RULES.deck_size), RULES)
    chance = bytes_from(f"puzzles|{number}|line")
    start = _without_kings_outside(deal)
    verdicts = VerdictsAfter(start)
    found = list(_on_line(start, verdicts, chance)) if verdicts.is_winnable(start) else []
    # That a king may always leave is soon learnt: such positions are taken where a deal has no other.
    found = [position for position in found if not _has_free_king(position)] or found
    return _puzzle(found[next(chance) % len(found)], verdicts) if found else None


def keeping(position: Position, possible: Sequence[Move], verdicts: VerdictsAfter) -> list[Move]:
    """Return those of some removals that keep the win."""
    return list(compress(possible, verdicts.without(position, (move.cards for move in possible))))


def is_puzzle(puzzle: Packed) -> bool:
    """Return True if in each position of a puzzle there are several removals, of which its own alone keeps the win."""
    position = puzzle.position
    verdicts = VerdictsAfter(position)
    for number, move in enumerate(puzzle.win[: puzzle.decisions]):
        possible = removals(position)
        right = [pyramid_cards(position, one) for one in keeping(position, possible, verdicts)]
        enough = len(possible) >= (2 if number else LEAST_CHOICES)
        if not enough or right != [pyramid_cards(position, move)]:
            return False
        position = without(position, move)
    return True


def _on_line(deal: Position, verdicts: VerdictsAfter, chance: Iterator[int]) -> Iterator[Position]:
    """Yield the positions of a line in which one of several removals keeps the win.

    Half of its removals are a player's who plays well, the others any.
    """
    position = deal
    while not position.is_won:
        possible = removals(position)
        right = keeping(position, possible, verdicts)
        if len(possible) >= LEAST_CHOICES and len(right) == 1:
            yield position
        liked = right if next(chance) < _HALF else possible
        move = liked[next(chance) % len(liked)]
        if move not in right:
            return
        position = without(position, move)


def _puzzle(position: Position, verdicts: VerdictsAfter) -> Packed:
    """Return the puzzle that begins here, and goes on while again one of several removals keeps the win."""
    win: list[Move] = []
    later = position
    while len(win) < MOST_DECISIONS and len(possible := removals(later)) > 1:
        right = keeping(later, possible, verdicts)
        if len(right) != 1:
            break
        win += right
        later = without(later, right[0])
    decisions = len(win)
    for move in solve(later).moves:
        if move.kind is Kind.REMOVE and pyramid_cards(later, move):
            win.append(move)
    return Packed(position, decisions, tuple(win))


def _without_kings_outside(position: Position) -> Position:
    """Return a deal once the kings outside its pyramid have left: nothing depends on them."""
    return position_of(position.tableau, [card for card in position.stock if card.rank != KING])


def _has_free_king(position: Position) -> bool:
    return any(move.cards[0].rank == KING for move in removals(position))
