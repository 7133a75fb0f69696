"""Decks in the suits of a game, and invalid suits."""

from __future__ import annotations

from typing import Any

from games.deals.daily import DailyKey
from games.deals.shuffle import suits_of
from games.rules import Deck, Suits
from tests.vectors.leaves import FIRST_DAY

SEED = bytes(range(32))


def in_suits(rules: str, game: str) -> dict[str, Any]:
    own, suits = DailyKey(FIRST_DAY, rules, "open").deck(SEED), suits_of(SEED, game)
    return {"deal": own.text, "suits": suits.text, "game": suits.of_deck(own).text}


def vectors() -> dict[str, list[dict[str, Any]]]:
    one, two = in_suits("standard", "7f3kq2m8p1xz"), in_suits("two-pyramids", "2x9k4m7vq1ht")
    own, suits = Deck.from_text(one["deal"]), one["suits"]
    other = in_suits("standard", "another game")["suits"]
    unseen = "".join(card if number % 3 else "??" for number, card in enumerate(map(str, own.cards)))
    refused = {
        "the suits of another game": {**one, "suits": other},
        "two cards have changed places": {**one, "game": one["game"][2:4] + one["game"][:2] + one["game"][4:]},
        "a rank has one suit twice": {**one, "suits": "ccdh" + suits[4:]},
        "a rank has no suits": {**one, "suits": suits[4:]},
        "a rank too many": {**one, "suits": suits + "cdhs"},
        "an unknown suit": {**one, "suits": "x" + suits[1:]},
    }
    return {
        "valid": [
            {"name": "one deck", **one},
            {"name": "two decks, whose second keeps its capitals", **two},
            {"name": "cards that nobody saw", "deal": unseen, "suits": suits, "game": _played(unseen, suits)},
        ],
        "refused": [{"name": name, **vector} for name, vector in refused.items()],
    }


def _played(deck: str, suits: str) -> str:
    return Suits(suits).of_deck(Deck.from_text(deck)).text
