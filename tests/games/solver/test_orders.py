"""One pyramid and many orders of its stock: each answer is the one that its position gets alone."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import CARDS, RULE_SETS, Deck, Kind, Move, NotationError, Position, RuleSet
from games.solver import solve
from games.solver.orders import NO_WIN, UNDECIDED, Progress, Pyramid

ONE_WASTE = ("standard", "covered-pairs", "king-tut", "tuts-tomb")
ORDERS = 4


def deal(seed: int, rules: RuleSet = RULE_SETS["standard"]) -> Position:
    return Position.deal(Deck(tuple(Random(seed).sample(CARDS[:52], 52))), rules)


def reordered(start: Position, order: list[int]) -> Position:
    """Return the same deal with the cards of its stock in another order."""
    return Position.deal(Deck((*start.layout.cards, *(start.stock[place] for place in order))), start.rules)


def some_moves(start: Position, dice: Random) -> tuple[list[Move], int]:
    """Return random moves and how many stock cards they show."""
    here, moves, seen = start, [], 0
    for _ in range(dice.randint(0, 40)):
        legal = here.legal_moves
        removals = [move for move in legal if move.kind is Kind.REMOVE]
        if legal:
            moves.append(dice.choice(removals if removals and dice.random() < 0.5 else legal))
            here = here.after(moves[-1])
            seen = max(seen, 24 if moves[-1].kind is Kind.RECYCLE else len(start.stock) - len(here.stock))
    return moves, seen


def after(start: Position, moves: list[Move]) -> Position:
    for move in moves:
        start = start.after(move)
    return start


def row(start: Position) -> list[int]:
    return [card.rank for card in start.stock]


@pytest.mark.parametrize("slug", ONE_WASTE)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_each_order_gets_the_answer_that_its_position_gets_alone(slug: str, seed: int) -> None:
    start, dice = deal(seed, RULE_SETS[slug]), Random(seed)
    moves, seen = some_moves(start, dice)
    orders = [[*range(seen), *dice.sample(range(seen, 24), 24 - seen)] for _ in range(ORDERS)]
    starts = [reordered(start, order) for order in orders]
    alone = [solve(after(other, moves)).length for other in starts]
    progress = Progress.of(after(start, moves), {card: place for place, card in enumerate(start.stock)})
    together = Pyramid(start).lengths(progress, np.array([row(other) for other in starts], np.uint8))
    assert [None if length == NO_WIN else length for length in together.tolist()] == alone


def test_beyond_the_node_limit_an_order_is_undecided() -> None:
    start = deal(7)
    progress = Progress.of(start, {card: place for place, card in enumerate(start.stock)})
    stocks = np.array([row(start)], np.uint8)
    assert Pyramid(start).lengths(progress, stocks, node_limit=1).tolist() == [UNDECIDED]
    assert Pyramid(start).lengths(progress, stocks).tolist() == [solve(start).length]


@pytest.mark.parametrize("slug", ["single-pass", "three-piles", "giza", "cell", "no-waste", "relaxed"])
def test_rules_with_limited_passes_or_other_piles_are_refused(slug: str) -> None:
    with pytest.raises(ValueError, match=slug):
        Pyramid(deal(1, RULE_SETS[slug]))


def test_mallory_cannot_have_a_pyramid_with_unseen_cards() -> None:
    start = deal(1)
    with pytest.raises(NotationError, match="without unseen cards"):
        Pyramid(start.seen_by(set()))
