from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from games.rules import CARDS, RULE_SETS, Card, Deck, Kind, Play, Position, RuleSet
from leaderboards.desk.picture import HEIGHT, WIDTH, lying, places_of, rings

RULES = pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)


def dealt(rules: RuleSet) -> tuple[Position, list[Card]]:
    deck = Random(rules.slug).sample(CARDS[: rules.deck_size], rules.deck_size)
    return Position.deal(Deck(tuple(deck)), rules), deck


@RULES
def test_every_place_lies_inside_the_frame_and_no_two_piles_meet(rules: RuleSet) -> None:
    places = places_of(rules)
    corners = [*places.tableau, *places.reserve, places.stock, *places.wastes, *places.cells, places.removed]
    assert all(0 <= x <= places.width - WIDTH and 0 <= y <= places.height - HEIGHT for x, y in corners)
    row = sorted([places.stock, *places.wastes, *places.cells, places.removed])
    assert all(right[0] - left[0] >= WIDTH for left, right in pairwise(row))
    assert len(set(corners)) == len(corners)


@RULES
def test_each_card_is_drawn_once_and_only_what_lies_face_up_shows_its_face(rules: RuleSet) -> None:
    position, deck = dealt(rules)
    for _ in range(12):
        drawn = lying(position, deck)
        assert [card.number for card in drawn] == list(range(rules.deck_size))
        for card in drawn:
            if card.kind != "back":
                assert card.is_shown
        in_stock = [card for card in drawn if (card.x, card.y) == places_of(rules).stock and card.is_shown]
        assert len(in_stock) == len(position.stock)
        if not rules.stock_open:
            assert {card.kind for card in in_stock} <= {"back"}
        if not position.legal_moves:
            break
        position = position.after(position.legal_moves[-1])


def test_the_move_that_was_played_is_ringed_and_what_else_could_be_done_as_well() -> None:
    position, _ = dealt(RULE_SETS["standard"])
    play = Play(position)
    while not any(move.kind is Kind.REMOVE for move in play.legal_moves):
        play.do(next(move for move in play.legal_moves if move.kind is Kind.DRAW), 0)
    move = next(move for move in play.legal_moves if move.kind is Kind.REMOVE)
    found = rings(play.position, move)
    assert sum(is_played for _, is_played in found) == len(move.cards)
    assert (places_of(position.rules).stock, False) in found
