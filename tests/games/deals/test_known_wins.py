from __future__ import annotations

from collections import Counter
from itertools import pairwise

from games.deals.known_wins import known_win, proofs
from games.rules import RULE_SETS
from tests.games.deals.lines import wins


def test_every_known_deck_is_won_by_its_line() -> None:
    assert all(wins(*proof) for proof in proofs())
    assert Counter(rules.slug for rules, _, _ in proofs()) == dict.fromkeys(RULE_SETS, 4)


def test_no_two_known_wins_are_alike() -> None:
    decks = [known_win(RULE_SETS["cheops"]) for _ in range(20)]
    assert all(one != other for one, other in pairwise(decks))
