"""The ranks that are removed together and alone, from any two exposed cards."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given

from games.rules import CARDS, Card, Kind, Match, Move, Peak, Position, RuleSet
from tests.games.rules.drawn import after, legal, refusal
from tests.games.rules.strategies import positions

RANKS = "A23456789TJQK"
PAIRS = {
    Match.THIRTEEN: "AQ 2J 3T 49 58 67",
    Match.DOZEN: "AJ 2T 39 48 57 66 QK",
    Match.ELEVEN: "AT 29 38 47 56 JJ QQ KK",
    Match.ADJACENT: "AA 22 33 44 55 66 77 88 99 TT JJ QQ KK A2 23 34 45 56 67 78 89 9T TJ JQ QK",
}
ZONES = RuleSet("zones", tableau=(Peak(1), Peak(1)), stock_open=True, reserve=(1, 1), cells=1)


def removals(cards: str, rules: RuleSet) -> str:
    """The removals that two cards side by side allow."""
    moves = legal(f"{cards[:2]}+{cards[2:]} | 0", rules).split()
    return " ".join(moves)


@pytest.mark.parametrize("match", Match)
def test_these_ranks_leave_together_and_no_others(match: Match) -> None:
    rules = RuleSet("two", tableau=(Peak(1), Peak(1)), match=match)
    together = {
        one + other
        for one, other in combinations_with_replacement(RANKS, 2)
        if f"{one}c{other}d" in removals(f"{one}c{other}d", rules).split()
    }
    assert together == set(PAIRS[match].split())


@pytest.mark.parametrize("match", Match)
def test_a_king_leaves_alone_under_thirteen_and_no_card_under_any_other_match(match: Match) -> None:
    rules = RuleSet("one", tableau=(Peak(1),), match=match)
    alone = {rank for rank in RANKS if legal(f"{rank}h | 0", rules)}
    assert alone == ({"K"} if match is Match.THIRTEEN else set())


def test_suits_and_colours_never_matter() -> None:
    rules = RuleSet("two", tableau=(Peak(1), Peak(1)), decks=2)
    for one, other in combinations([card.text for card in CARDS if card.rank in (5, 8)], 2):
        assert bool(removals(one + other, rules)) == (one[0] != other[0])


@pytest.mark.parametrize("cards", ["Ac5c7c", "KcKdKh", "4s9s4d"])
def test_three_cards_are_never_combined(cards: str) -> None:
    with pytest.raises(ValueError, match="is not a move"):
        Move.from_text(cards)


@given(positions())
def test_a_removal_takes_one_card_or_two(position: Position) -> None:
    taken = {len(move.cards) for move in position.legal_moves if move.kind is Kind.REMOVE}
    assert taken <= {1, 2}


def test_any_two_exposed_cards_may_leave_together_wherever_they_lie() -> None:
    text = "9c+4c 9h|9s 0 r:4h c:4s"
    assert legal(text, ZONES).split() == sorted(
        [*(four + nine for four in ("4c", "4h", "4s") for nine in ("9c", "9h", "9s")), "D"]
    )
    assert after(text, ZONES, "9s4s") == "9c+4c 9h| 0 r:4h c:--"


def test_kings_are_never_removed_by_themselves() -> None:
    assert legal("Kc+Kd |Ks 0 r:Kh c:--", ZONES) == "D Kc Kd Kh Ks PKc PKd"
    assert after("Kc+Kd |Ks2c 0 r:Kh c:--", ZONES, "D") == "Kc+Kd Ks|2c 0 r:Kh c:--"


def test_removing_is_optional() -> None:
    assert "D" in legal("4c+9d |Ks 0 r:Kh c:--", ZONES).split()


def test_a_match_that_is_none_is_refused_with_its_cards() -> None:
    assert refusal("4c+8d |Ks 0 r:Kh c:--", ZONES, "4c8d") == "4c8d: 4c and 8d do not leave together"
    assert refusal("4c+8d |Ks 0 r:Kh c:--", ZONES, "4c") == "4c: 4c does not leave alone"


@given(positions())
def test_every_pair_of_exposed_cards_is_legal_exactly_where_the_ranks_match(position: Position) -> None:
    exposed, match = position.exposed, position.rules.match
    expected = {pair(one, other) for one, other in combinations(exposed, 2) if match.accepts(one.rank, other.rank)}
    expected |= {Move.from_text(card.text) for card in exposed if match.accepts_alone(card.rank)}
    legal_here = {move for move in position.legal_moves if move.kind is Kind.REMOVE and set(move.cards) <= set(exposed)}
    assert legal_here == (set() if position.is_won else expected)


def pair(one: Card, other: Card) -> Move:
    return Move.from_text(one.text + other.text)
