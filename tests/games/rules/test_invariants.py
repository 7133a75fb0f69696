"""Properties that hold on every deck, by every rule set, after any line of play."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import ceil

import pytest
from hypothesis import assume, given, settings

from games.rules import CARDS, DRAW, RULE_SETS, Card, Goal, InvalidRuleSet, Kind, Match, Outcome, Position, RuleSet
from tests.games.rules.strategies import LONGEST_LINE, positions, rule_sets, seeds, shuffled, some_move


def in_play(position: Position) -> list[Card]:
    tableau = [card for card in position.tableau if card is not None]
    return [
        *tableau,
        *position.stock,
        *(card for pile in position.wastes + position.reserve for card in pile),
        *position.cells,
    ]


@given(positions(rule_sets.filter(lambda rules: rules.match is Match.THIRTEEN and rules.wastes > 0)))
def test_under_thirteen_there_are_as_many_cards_of_a_rank_in_play_as_of_its_partner(position: Position) -> None:
    ranks = Counter(card.rank for card in in_play(position))
    assert all(ranks[rank] == ranks[13 - rank] for rank in range(1, 13))


@given(positions())
def test_every_card_is_in_play_at_most_once(position: Position) -> None:
    cards = in_play(position)
    assert len(cards) == len(set(cards))
    assert set(cards) <= set(CARDS[: position.rules.deck_size])


@given(positions())
def test_a_move_takes_away_its_cards_and_no_others(position: Position) -> None:
    before = set(in_play(position))
    for move in position.legal_moves:
        gone = before - set(in_play(position.after(move)))
        if move is DRAW and position.rules.wastes == 0:
            assert gone == {position.stock[0]}
        else:
            assert gone == (set(move.cards) if move.kind is Kind.REMOVE else set())


@given(positions())
def test_legal_moves_are_sorted_without_repetition(position: Position) -> None:
    texts = [move.text for move in position.legal_moves]
    assert texts == sorted(set(texts))


@given(positions())
def test_a_position_never_changes(position: Position) -> None:
    fresh = Position.from_text(position.text, position.rules)
    for move in position.legal_moves:
        position.after(move)
    assert position == fresh
    assert (position.stock, position.wastes, position.cells) == (fresh.stock, fresh.wastes, fresh.cells)


@given(positions())
def test_no_tableau_card_hangs_in_the_air(position: Position) -> None:
    """A card that has left was uncovered first, or left together with its cover."""
    for shape in position.shapes:
        assert shape.family.is_reachable(shape.occupied)


@given(positions())
def test_a_stuck_position_leads_only_to_stuck_ones(position: Position) -> None:
    if position.outcome is Outcome.STUCK:
        assert {position.after(move).outcome for move in position.legal_moves} <= {Outcome.STUCK}


@given(seeds)
@settings(max_examples=20)
def test_every_rule_set_of_one_upright_peak_of_seven_shows_the_same_pyramid_for_the_same_deck(seed: int) -> None:
    deck = shuffled(seed)
    one_peak = [rules for rules in RULE_SETS.values() if rules.tableau == RuleSet().tableau]
    assert len(one_peak) > 15
    assert len({Position.deal(deck, rules).tableau for rules in one_peak}) == 1


WIDER: dict[str, Callable[[RuleSet], RuleSet]] = {
    "an open stock": lambda rules: replace(rules, stock_open=True),
    "covered pairs": lambda rules: replace(rules, overlap=True),
    "the tableau alone as the goal": lambda rules: replace(rules, goal=Goal.TABLEAU),
    "one more pass": lambda rules: replace(rules, passes=rules.passes and rules.passes + 1),
    "unlimited passes": lambda rules: replace(rules, passes=None),
    "one more cell": lambda rules: replace(rules, cells=rules.cells + 1),
    "cards face up": lambda rules: replace(rules, face_down=False),
}


@pytest.mark.parametrize("widening", WIDER)
@given(rules=rule_sets, deck=seeds, line=seeds)
def test_a_line_of_play_stays_one_with(widening: str, rules: RuleSet, deck: int, line: int) -> None:
    """So that who can win by the narrow rules can win by the wide ones."""
    try:
        wide = WIDER[widening](rules)
    except InvalidRuleSet:
        assume(False)
    play_both(Position.deal(shuffled(deck, rules.decks), rules), Position.deal(shuffled(deck, rules.decks), wide), line)


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [("king-tut", "standard"), ("tuts-tomb", "covered-pairs"), ("no-waste", "dark-pyramid")],
)
@given(deck=seeds, line=seeds)
def test_a_line_of_play_by_one_rule_set_is_one_by_another(narrow: str, wide: str, deck: int, line: int) -> None:
    play_both(Position.deal(shuffled(deck), RULE_SETS[narrow]), Position.deal(shuffled(deck), RULE_SETS[wide]), line)


def play_both(narrow: Position, wide: Position, seed: int) -> None:
    """Follow a random line of the narrow rules by the wide ones until those have won."""
    chance = random.Random(seed)
    for _ in range(LONGEST_LINE):
        if not narrow.legal_moves or wide.is_won:
            return
        move = some_move(chance, narrow)
        cards_drawn = len(narrow.stock[: narrow.rules.draw])
        narrow = narrow.after(move)
        for _ in range(ceil(cards_drawn / wide.rules.draw) if move is DRAW else 1):
            wide = wide.after(move)
        assert wide.shapes == narrow.shapes
        assert wide.cards_left <= narrow.cards_left
