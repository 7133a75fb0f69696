"""The text of a rule set says everything that its fields say, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from games.rules import RULE_SETS, Goal, Match, Peak, RuleSet
from games.rules.prose import English, describe, paragraphs
from tests.games.rules.strategies import NAMED, made_up_rule_sets, rule_sets

PLAIN = RuleSet()

CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"tableau": (Peak(5), Peak(3, inverted=True))}, "a pyramid of 5 rows and an upside-down pyramid of 3 rows"),
    ({"decks": 2}, "Two decks"),
    ({"match": Match.DOZEN}, "add up to 12"),
    ({"match": Match.ELEVEN}, "add up to 11"),
    ({"match": Match.ADJACENT}, "neighbouring rank"),
    ({"overlap": True}, "together with the only card that still covers it"),
    ({"reserve": (7, 1)}, "a reserve of 7 piles of 1 card"),
    ({"cells": 2}, "2 cells"),
    ({"cells": 1}, "an exposed tableau card or the top of a waste pile in a free cell"),
    ({"cells": 1, "wastes": 0, "stock_open": True}, "an exposed tableau card in a free cell"),
    ({"draw": 3}, "the next 3 cards"),
    ({"draw": 3, "wastes": 3}, "3 waste piles"),
    ({"wastes": 0, "stock_open": True}, "out of play"),
    ({"stock_open": True}, "only the next one face up"),
    ({"stock_seen": True}, "a stock of 24 cards, all face up"),
    ({"passes": 3}, "up to 3 times"),
    ({"passes": None}, "as often as you like"),
    ({"goal": Goal.ALL}, "all 52 cards have left play"),
    ({"face_down": True}, "face down until"),
]


@pytest.mark.parametrize(("fields", "words"), CHANGES, ids=lambda value: str(value) if isinstance(value, dict) else "")
def test_a_field_that_differs_from_the_default_is_mentioned(fields: dict[str, Any], words: str) -> None:
    assert words not in describe(PLAIN)
    assert words in describe(RuleSet(**fields))


def test_every_field_is_among_those() -> None:
    assert {name for fields, _ in CHANGES for name in fields} == set(PLAIN.fields)


@given(made_up_rule_sets(), rule_sets)
def test_texts_are_equal_exactly_where_the_fields_are(rules: RuleSet, other: RuleSet) -> None:
    assert (describe(rules) == describe(other)) == (rules == other)


@given(rule_sets)
def test_a_text_does_not_depend_on_the_name(rules: RuleSet) -> None:
    assert describe(replace(rules, slug="other", title="Other")) == describe(rules)


def test_the_named_rule_sets_have_different_texts() -> None:
    assert len({describe(rules) for rules in NAMED}) == len(NAMED)


def test_an_open_stock_that_is_seen_says_both() -> None:
    text = describe(RULE_SETS["open-pyramid"])
    assert "a stock of 24 cards, all face up" in text
    assert "and the next card of the stock." in text


def test_the_text_of_the_default_game() -> None:
    assert paragraphs(RULE_SETS["standard"]) == [
        (
            "One deck is dealt. The tableau is a pyramid of 7 rows, all face up. "
            "The rest is a stock of 24 cards, face down."
        ),
        (
            "Remove two exposed cards whose ranks add up to 13 (ace 1, jack 11, queen 12), or an exposed king alone. "
            "The exposed cards are the tableau cards that no other card covers and the top of the waste."
        ),
        (
            "A draw moves the next card of the stock to the waste. You go through the stock as often as you like. "
            "When it is empty, the waste becomes the stock again, never shuffled."
        ),
        "You win when every card of the tableau has left play.",
    ]


class Marked(English):
    """A translation that shows which words went through it."""

    def gettext(self, message: str, /) -> str:
        return f"[{message}]"

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        return self.gettext(super().ngettext(singular, plural, number))


@given(made_up_rule_sets())
def test_every_word_can_be_translated(rules: RuleSet) -> None:
    depth, outside = 0, ""
    for letter in describe(rules, Marked()):
        depth += (letter == "[") - (letter == "]")
        outside += letter if depth == 0 else ""
    assert set(outside) <= {" ", "]"}
    assert describe(rules, Marked()).replace("[", "").replace("]", "") == describe(rules)


@given(rule_sets)
def test_a_text_is_made_of_whole_sentences(rules: RuleSet) -> None:
    text = describe(rules)
    assert text.endswith(".")
    assert "  " not in text
    assert all(sentence[0].isupper() for sentence in text.split(". "))
