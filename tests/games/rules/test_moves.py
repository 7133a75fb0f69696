"""Moves and actions: one object and one spelling for each, and lenient reading."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import CARDS, DRAW, HINT, RECYCLE, REDO, UNDO, Action, Card, Kind, Move, NotationError, Position
from tests.games.rules.spelling import respelled
from tests.games.rules.strategies import positions

cards = st.sampled_from(CARDS)
two_cards = st.lists(cards, min_size=2, max_size=2, unique=True)


@given(two_cards)
def test_a_pair_is_one_move_in_either_order(pair: list[Card]) -> None:
    one, other = pair
    move = Move.from_text(one.text + other.text)
    assert Move.from_text(other.text + one.text) is move
    assert Move.from_text(move.text) is move
    assert set(move.cards) == set(pair)
    assert move.kind is Kind.REMOVE


@given(cards)
def test_a_solo_and_a_park_are_read_from_their_texts(card: Card) -> None:
    solo, park = Move.from_text(card.text), Move.from_text("P" + card.text)
    assert (solo.kind, solo.text, solo.cards) == (Kind.REMOVE, card.text, (card,))
    assert (park.kind, park.text, park.cards) == (Kind.PARK, "P" + card.text, (card,))


@given(positions())
def test_every_legal_move_is_read_from_its_text_as_the_same_object(position: Position) -> None:
    for move in position.legal_moves:
        assert Move.from_text(move.text, decks=position.rules.decks) is move
        assert Action.from_text(move.text, decks=position.rules.decks) is move
        assert pickle.loads(pickle.dumps(move)) is move  # noqa: S301


@given(two_cards, st.booleans(), st.data())
def test_a_move_is_read_leniently(pair: list[Card], park: bool, data: st.DataObject) -> None:
    tokens = ["P", pair[0].text] if park else [card.text for card in pair]
    assert Move.from_text(data.draw(respelled(tokens, decks=2))) is Move.from_text("".join(tokens))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("9s4s", "4s9s"),
        ("QsAd", "AdQs"),
        ("10h 3s", "3sTh"),
        ("JDjc", "JcJd"),
        (" kd ", "Kd"),
        ("d", "D"),
        ("r", "R"),
        ("p4S", "P4s"),
        ("P 4s", "P4s"),
    ],
)
def test_in_a_one_deck_game_letter_case_says_nothing(text: str, canonical: str) -> None:
    assert Move.from_text(text, decks=1).text == canonical


def test_in_a_two_deck_game_an_upper_case_suit_is_the_second_deck() -> None:
    assert Move.from_text("4s9S").cards == (Card.from_text("4s"), Card.from_text("9S"))
    assert Move.from_text("4s9S") is not Move.from_text("4s9s")


def test_of_equal_ranks_the_lower_suit_letter_comes_first() -> None:
    assert Move.from_text("JsJd").text == "JdJs"
    assert Move.from_text("6s6S").text == "6S6s"  # in ASCII capitals come before small letters


@pytest.mark.parametrize("action", [DRAW, RECYCLE, UNDO, REDO, HINT], ids=str)
def test_an_action_without_cards_is_read_from_its_letter(action: Action) -> None:
    assert Action.from_text(action.text) is action
    assert Action.from_text(f" {action.text.lower()}\n") is action
    assert pickle.loads(pickle.dumps(action)) is action  # noqa: S301


@pytest.mark.parametrize("action", [UNDO, REDO, HINT], ids=str)
def test_undo_redo_and_hint_are_no_moves(action: Action) -> None:
    with pytest.raises(NotationError):
        Move.from_text(action.text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "X",
        "DD",
        "D4s",
        "P",
        "PP4s",
        "P4s9s",
        "4s4s",
        "4s9s2c",
        "??",
        "4s??",
        "P??",
        "--",
        "4s--",
        "4s,9s",
        "RU",
        "\0",
    ],
)
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"is not a move|no card at"):
        Action.from_text(text)
