"""The same game in other suits."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import CARDS, OWN_SUITS, UNSEEN, NotationError, Play, Position, Record, Suits
from games.rules.cards import RANKS, SUITS
from tests.games.rules.strategies import plays, records

any_suits = st.lists(st.permutations(SUITS).map("".join), min_size=13, max_size=13).map("".join).map(Suits)


def in_suits(position: Position, suits: Suits) -> Position:
    cards = {card.text: suits.of_card(card).text for card in CARDS}
    text = re.sub(r"[A2-9TJQK][cdhsCDHS]", lambda card: cards[card[0]], position.text)
    return Position.from_text(text, position.rules)


def played_in_suits(play: Play, suits: Suits) -> Play:
    """Return the same play in other suits; it fails if they matter."""
    again = Play(in_suits(play.start, suits))
    for action, at_ms in play.actions:
        again.do(suits.of_action(action), at_ms)
    return again


@given(any_suits)
def test_suits_taken_back_are_the_own_ones(suits: Suits) -> None:
    assert Suits.from_text(suits.text) == suits
    assert all(suits.inverse.of_card(suits.of_card(card)) is card for card in (*CARDS, UNSEEN))
    assert suits.inverse.inverse == suits


@given(any_suits)
def test_ranks_and_packs_stay_and_every_card_is_there_once(suits: Suits) -> None:
    become = [suits.of_card(card) for card in CARDS]
    assert [(card.rank, card.index // 52) for card in become] == [(card.rank, card.index // 52) for card in CARDS]
    assert set(become) == set(CARDS)
    assert suits.of_card(UNSEEN) is UNSEEN


@given(plays(), any_suits)
def test_a_play_in_other_suits_is_the_same_play(play: Play, suits: Suits) -> None:
    again = played_in_suits(play, suits)
    moves = {suits.of_action(move) for move in play.legal_moves}
    assert set(again.legal_moves) == moves
    assert (again.position.outcome, again.position.cards_left) == (play.position.outcome, play.position.cards_left)
    assert again.seen == {suits.of_card(card) for card in play.seen}


@given(records(), any_suits)
def test_a_record_is_taken_back_to_its_deal(record: Record, suits: Suits) -> None:
    tag = ("Suits", suits.text)
    actions = tuple(timed._replace(action=suits.of_action(timed.action)) for timed in record.actions)
    played = replace(record, deck=suits.of_deck(record.deck), actions=actions, more_tags=(tag, *record.more_tags))
    assert Record.from_text(played.text).as_dealt() == record
    assert played.replay().result is record.replay().result


def test_a_record_without_the_tag_is_in_the_suits_of_its_deal() -> None:
    assert OWN_SUITS.text == SUITS * len(RANKS)
    assert all(OWN_SUITS.of_card(card) is card for card in CARDS)


@pytest.mark.parametrize(
    "text", ["", "cdhs", "cdhs" * 12, "cdhs" * 14, "cdhx" * 13, "ccdh" * 13, "cdhsc" + "dhs" * 16, "é" * 52]
)
def test_what_is_no_permutation_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Suits.from_text(text)


def test_suits_are_read_in_any_spelling() -> None:
    assert Suits.from_text(" CDHS " * 13).text == OWN_SUITS.text
