from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from games.deals.known_wins import decks_of, known_win, look_alike, proofs
from games.rules import RULE_SETS, Deck, Move, Position, RuleSet
from games.rules.rulesets import Match


def wins(rules: RuleSet, deck: Deck, moves: list[str]) -> bool:
    position = Position.deal(deck, rules)
    for text in moves:
        move = Move.from_text(text, decks=rules.decks)
        assert move in position.legal_moves
        position = position.after(move)
    return position.is_won


def test_every_known_deck_is_won_by_its_line() -> None:
    assert all(wins(*proof) for proof in proofs())
    assert Counter(rules.slug for rules, _, _ in proofs()) == dict.fromkeys(RULE_SETS, 4)


def test_a_deck_that_looks_alike_is_won_by_the_same_line_in_other_cards() -> None:
    for rules, deck, moves in proofs():
        other = look_alike(deck, rules.match)
        renamed = {card.text: new.text for card, new in zip(deck.cards, other.cards, strict=True)}
        line = ["".join(renamed.get(text, text) for text in cards_in(move)) for move in moves]
        assert wins(rules, other, line)


def cards_in(move: str) -> list[str]:
    """Split a move such as `4s9s`, `Kd`, `D` or `P4s` into its cards and other letters."""
    lead = ["P"] if move.startswith("P") else []
    rest = move[len(lead) :]
    return lead + ([rest] if len(rest) < 2 else [rest[at : at + 2] for at in range(0, len(rest), 2)])


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


def test_no_two_known_wins_are_alike() -> None:
    decks = [known_win(RULE_SETS["cheops"]) for _ in range(20)]
    assert all(one != other for one, other in pairwise(decks))
