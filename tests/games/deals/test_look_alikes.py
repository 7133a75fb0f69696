"""Decks that play exactly alike."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.deals.known_wins import decks_of, proofs
from games.deals.look_alikes import disguised, look_alike, mirrored
from games.rules import CARDS, RULE_SETS, Deck, Position, RuleSet
from games.rules.rulesets import Match
from games.solver import is_winnable, solve
from tests.games.deals.lines import in_other_cards, wins
from tests.games.rules.strategies import made_up_rule_sets

SOLVED_SOON = ("standard", "covered-pairs", "single-pass", "no-waste")
seeds = st.integers(0, 2**32)


def deck_of(seed: int, rules: RuleSet) -> Deck:
    cards = list(CARDS[: rules.deck_size])
    Random(seed).shuffle(cards)
    return Deck(tuple(cards))


def test_a_deck_that_looks_alike_is_won_by_the_same_line_in_other_cards() -> None:
    for rules, deck, moves in proofs():
        other = look_alike(deck, rules.match)
        assert wins(rules, other, in_other_cards(moves, deck, other))


def test_the_mirror_image_of_a_deck_is_won_by_the_same_line() -> None:
    assert all(wins(rules, mirrored(deck, rules), moves) for rules, deck, moves in proofs())


@pytest.mark.parametrize("match", Match)
def test_every_exchange_of_ranks_keeps_all_matches(match: Match) -> None:
    (rules, *_) = (rules for rules in RULE_SETS.values() if rules.match is match)
    (deck, *_) = decks_of(rules)
    for _ in range(50):
        ranks = dict(zip((c.rank for c in deck.cards), (c.rank for c in look_alike(deck, match).cards), strict=True))
        assert sorted(ranks.values()) == sorted(ranks)
        for one, other in ((one, other) for one in ranks for other in ranks):
            assert match.accepts(one, other) == match.accepts(ranks[one], ranks[other])
        assert all(match.accepts_alone(rank) == match.accepts_alone(ranks[rank]) for rank in ranks)


@given(st.one_of(st.sampled_from([*RULE_SETS.values()]), made_up_rule_sets()), seeds, st.randoms())
def test_in_the_mirror_every_move_stays_legal_and_no_other_becomes_so(rules: RuleSet, seed: int, dice: Random) -> None:
    deck = deck_of(seed, rules)
    here, there = Position.deal(deck, rules), Position.deal(mirrored(deck, rules), rules)
    for _ in range(60):
        assert set(here.legal_moves) == set(there.legal_moves)
        assert (here.outcome, here.cards_left) == (there.outcome, there.cards_left)
        if not here.legal_moves:
            break
        move = dice.choice(here.legal_moves)
        here, there = here.after(move), there.after(move)


@given(st.sampled_from([*RULE_SETS.values()]), seeds)
def test_a_mirror_image_in_the_mirror_is_the_deck_itself(rules: RuleSet, seed: int) -> None:
    deck = deck_of(seed, rules)
    assert mirrored(mirrored(deck, rules), rules) == deck
    assert mirrored(deck, rules).cards[rules.tableau_size :] == deck.cards[rules.tableau_size :]


@pytest.mark.parametrize("slug", SOLVED_SOON)
@settings(max_examples=6, deadline=None)
@given(seed=seeds)
def test_the_solver_has_the_same_verdict_and_length_for_a_disguised_deck(slug: str, seed: int) -> None:
    rules = RULE_SETS[slug]
    deck = deck_of(seed, rules)
    own = Position.deal(deck, rules)
    for other in (mirrored(deck, rules), disguised(deck, rules)):
        assert is_winnable(Position.deal(other, rules)) is is_winnable(own)
        assert solve(Position.deal(other, rules)).length == solve(own).length


def test_a_disguise_shows_the_deck_in_other_ranks_and_from_either_side() -> None:
    rules = RULE_SETS["standard"]
    (deck, *_) = decks_of(rules)
    apexes, corners = set(), set()
    for other in (disguised(deck, rules) for _ in range(200)):
        apexes.add(other.cards[0].rank)
        corners.add(tuple(card.rank == other.cards[1].rank for card in other.cards[:28]))
    assert len(apexes) == (1 if deck.cards[0].rank == 13 else 12)
    assert len(corners) == 2, "the second card is dealt to either side of its row"
