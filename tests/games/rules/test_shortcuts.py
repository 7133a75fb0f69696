"""Shortcuts of a position give what the long way gives."""

from __future__ import annotations

import random

import pytest

from games.deals.shuffle import random_deck
from games.rules import RULE_SETS, UNSEEN, Kind, Move, Play, Position


def is_stuck_after_every_walk(start: Position) -> bool:
    """Follow all draws, recycles and parks; where an unseen card comes up, nothing is proved."""
    met, waiting = {start.text}, [start]
    while waiting:
        position = waiting.pop()
        removals = [move for move in position.legal_moves if move.kind is Kind.REMOVE]
        if position.is_won or removals or UNSEEN in position.exposed:
            return False
        later = {after.text: after for after in map(position.after, position.legal_moves)}
        waiting += [after for text, after in later.items() if text not in met]
        met |= later.keys()
    return True


def choose(legal: tuple[Move, ...], chance: random.Random) -> Move:
    removals = [move for move in legal if move.kind is Kind.REMOVE]
    return chance.choice(removals if removals and chance.random() < 0.7 else legal)


@pytest.mark.parametrize("slug", RULE_SETS)
def test_a_play_is_stuck_and_cards_come_up_as_the_long_way_finds(slug: str) -> None:
    rules, chance = RULE_SETS[slug], random.Random(slug)
    for _ in range(2):
        play = Play(Position.deal(random_deck(rules), rules))
        seen = set(play.position.in_sight)
        for number in range(60):
            if not play.legal_moves:
                break
            revealed = play.do(choose(play.legal_moves, chance), number)
            assert list(revealed) == [card for card in play.position.in_sight if card not in seen]
            seen.update(revealed)
            for position in (play.position, play.view):
                assert (position.outcome == "stuck") == (not position.is_won and is_stuck_after_every_walk(position))
