"""Cards and decks: one object for each card, one spelling for each, and lenient reading."""

from __future__ import annotations

import copy
import pickle

import pytest
import twisted.persisted.styles  # noqa: F401  it changes how methods are pickled, as in a server of daphne
from hypothesis import given
from hypothesis import strategies as st

from games.rules import CARDS, UNSEEN, Card, Deck, NotationError
from tests.games.rules.spelling import respelled
from tests.games.rules.strategies import seeds, shuffled

EVERY_CARD = pytest.mark.parametrize("card", [*CARDS, UNSEEN], ids=str)


@EVERY_CARD
def test_a_card_is_read_from_its_text_as_the_same_object(card: Card) -> None:
    assert Card.from_text(card.text) is card


@EVERY_CARD
def test_a_card_stays_the_same_object_when_copied_or_pickled(card: Card) -> None:
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card  # noqa: S301


def test_there_are_104_cards_with_different_texts_and_places() -> None:
    assert len({card.text for card in CARDS}) == 104
    assert [card.index for card in CARDS] == list(range(104))


def test_ranks_run_from_ace_1_to_king_13_and_the_unseen_card_has_none() -> None:
    ranks = [Card.from_text(rank + "s").rank for rank in "A23456789TJQK"]
    assert ranks == list(range(1, 14))
    assert UNSEEN.rank == 0


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("10h", "Th"), ("th", "Th"), ("qS", "QS"), (" Ac\n", "Ac"), ("4S", "4S"), ("aD", "AD")],
)
def test_a_card_is_read_leniently(text: str, canonical: str) -> None:
    assert Card.from_text(text).text == canonical


@pytest.mark.parametrize(
    "text",
    ["", " ", "4", "s", "1s", "11s", "4x", "s4", "4s9s", "--", "?", "???", "4 s", "0h", "\u212ad", "4\u017f", "4s\0"],
)
def test_what_is_not_one_card_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Card.from_text(text)


@given(seeds, st.sampled_from([1, 2]))
def test_a_deck_is_read_back_from_its_text(seed: int, decks: int) -> None:
    deck = shuffled(seed, decks)
    assert Deck.from_text(deck.text) == deck
    assert len(deck.text) == 104 * decks


@given(seeds, st.sampled_from([1, 2]), st.data())
def test_a_deck_is_read_leniently(seed: int, decks: int, data: st.DataObject) -> None:
    deck = shuffled(seed, decks)
    assert Deck.from_text(data.draw(respelled([card.text for card in deck.cards], decks))).text == deck.text


@given(seeds, st.sampled_from([1, 2]), st.sets(st.sampled_from(CARDS)))
def test_a_deck_shows_only_the_cards_that_someone_knows(seed: int, decks: int, known: set[Card]) -> None:
    deck = shuffled(seed, decks)
    seen = deck.seen_by(known)
    assert Deck.from_text(seen.text) == seen
    assert [shown for shown, card in zip(seen.cards, deck.cards, strict=True) if card in known] == [
        card for card in deck.cards if card in known
    ]
    assert set(seen.cards) <= known | {UNSEEN}


ONE_DECK = "".join(card.text for card in CARDS[:52])


@pytest.mark.parametrize(
    "text",
    [
        "",
        ONE_DECK[2:],
        ONE_DECK + "Ac",
        "Ac" + ONE_DECK[:-2],
        "--" + ONE_DECK[2:],
        "xx" + ONE_DECK[2:],
        ONE_DECK + ONE_DECK,
    ],
    ids=["empty", "51 cards", "53 cards", "one twice", "a gap", "no card", "two equal decks"],
)
def test_what_is_not_a_whole_deck_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Deck.from_text(text)


def test_a_deck_of_52_has_no_cards_of_a_second_deck() -> None:
    with pytest.raises(NotationError, match="second-deck"):
        Deck(CARDS[1:53])
