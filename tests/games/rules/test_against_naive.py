"""The rules against a second implementation that shares no code with them (naive.py)."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from games.rules import Position, RuleSet
from tests.games.rules.naive import Naive
from tests.games.rules.strategies import LONGEST_LINE, made_up_rule_sets, named_rule_sets, seeds, shuffled, some_move


@given(named_rule_sets, seeds, seeds, st.integers(0, LONGEST_LINE))
def test_every_named_rule_set_is_played_like_the_naive_one(rules: RuleSet, deck: int, line: int, moves: int) -> None:
    play_both(rules, deck, line, moves)


@given(made_up_rule_sets(), seeds, seeds, st.integers(0, LONGEST_LINE))
def test_any_valid_fields_are_played_like_the_naive_ones(rules: RuleSet, deck: int, line: int, moves: int) -> None:
    play_both(rules, deck, line, moves)


def play_both(rules: RuleSet, deck_seed: int, line_seed: int, moves: int) -> None:
    """Play a random line move by move in both implementations and compare all that can be seen of them."""
    deck, chance = shuffled(deck_seed, rules.decks), random.Random(line_seed)
    position, naive = Position.deal(deck, rules), Naive([card.text for card in deck.cards], rules)
    compare(position, naive)
    for _ in range(moves):
        if not position.legal_moves:
            break
        move = some_move(chance, position)
        position, naive = position.after(move), naive.after(move.text)
        compare(position, naive)


def compare(position: Position, naive: Naive) -> None:
    assert [move.text for move in position.legal_moves] == naive.legal_moves(), position
    assert position.outcome == naive.outcome(), position
    assert position.cards_left == naive.cards_left(), position
    assert sorted(card.text for card in position.exposed) == sorted(naive.exposed()), position
    assert {card.text for card in position.in_sight} == naive.in_sight(), position
    assert len(position.in_sight) == len(naive.in_sight()), position
