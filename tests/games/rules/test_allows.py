from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from games.rules import CARDS, DRAW, RECYCLE, RULE_SETS, Deck, IllegalMove, Move, Position
from games.rules.moves import pair_move, park_move, solo_move

MOST_MOVES = 60


def every_move(cards: tuple[object, ...] | list[object]) -> list[Move]:
    own = [card for card in CARDS if card in set(cards)]
    alone = [make(card) for card in own for make in (solo_move, park_move)]
    return [DRAW, RECYCLE, *alone, *(pair_move(card, other) for card, other in combinations(own, 2))]


@pytest.mark.parametrize("slug", RULE_SETS)
def test_a_move_is_allowed_exactly_if_it_is_one_of_the_legal_ones(slug: str) -> None:
    rules, random = RULE_SETS[slug], Random(slug)
    deck = Deck(tuple(random.sample(CARDS[: rules.deck_size], rules.deck_size)))
    position, moves = Position.deal(deck, rules), every_move(list(deck.cards))
    for _ in range(MOST_MOVES):
        fresh = Position.from_text(position.text, rules)  # that has not listed its moves yet
        allowed = {move for move in moves if fresh.allows(move)}
        assert allowed == set(position.legal_moves)
        if not allowed:
            return
        position = position.after(random.choice(position.legal_moves))


def test_nothing_is_allowed_once_a_game_is_won() -> None:
    rules = RULE_SETS["standard"]
    won = Position.from_text("--/----/------/--------/----------/------------/-------------- Kd|AsQs *", rules)
    assert won.is_won
    for move in (DRAW, RECYCLE, solo_move(CARDS[-2])):
        assert not won.allows(move)
        with pytest.raises(IllegalMove):
            won.after(move)
