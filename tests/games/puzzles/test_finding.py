from __future__ import annotations

from random import Random

from games.puzzles.clearing import removals, without
from games.puzzles.finding import LEAST_CHOICES, find_in_deal
from games.puzzles.packing import Packed
from games.rules import CARDS, RULE_SETS, Card, Deck, Kind, Position
from games.solver import VerdictsAfter
from games.solver.verdict import verdict


def after_each_removal(position: Position) -> dict[frozenset[Card], set[bool]]:
    """Return, by the pyramid cards that leave, whether the win is kept: by trying every card that draws bring up."""
    kept: dict[frozenset[Card], set[bool]] = {}
    pyramid = {card for card in position.tableau if card}
    for _ in range(2 * len(position.stock) + 2):
        for move in position.legal_moves:
            if taken := frozenset(pyramid.intersection(move.cards)):
                kept.setdefault(taken, set()).add(verdict(position.after(move)))
        waiting = [move for move in position.legal_moves if move.kind in {Kind.DRAW, Kind.RECYCLE}]
        position = position.after(waiting[0]) if waiting else position
    return kept


def test_exactly_one_of_several_removals_keeps_the_win(puzzles: list[Packed]) -> None:
    for puzzle in puzzles:
        require_one_right_removal_each_time(puzzle)


def require_one_right_removal_each_time(puzzle: Packed) -> None:
    position = puzzle.position
    for count, move in enumerate(puzzle.win[: puzzle.decisions]):
        kept = after_each_removal(position)
        assert len(kept) >= (2 if count else LEAST_CHOICES)
        right = [taken for taken, verdicts in kept.items() if True in verdicts]
        assert right == [frozenset(card for card in position.tableau if card and card in move.cards)]
        assert kept[right[0]] == {True}  # with whichever card of the stock
        for step in Packed(position, 1, (move,)).line:
            position = position.after(step)


def test_a_numbered_deal_always_has_the_same_puzzle() -> None:
    for number in range(1, 40):
        first, again = find_in_deal(number), find_in_deal(number)
        assert (first and first.text) == (again and again.text)


def test_no_king_is_left_outside_the_pyramid(puzzles: list[Packed]) -> None:
    assert all(card.rank != 13 for puzzle in puzzles for card in puzzle.position.stock)


def test_what_each_removal_of_a_line_leaves_is_judged_as_by_counting_it_from_the_cards() -> None:
    random = Random(1)
    for _ in range(15):
        position = Position.deal(Deck(tuple(random.sample(CARDS[:52], 52))), RULE_SETS["standard"])
        verdicts = VerdictsAfter(position)
        while possible := removals(position):
            kept = verdicts.without(position, [move.cards for move in possible])
            assert kept == [verdict(without(position, move)) for move in possible], position.text
            position = without(position, random.choice(possible))
