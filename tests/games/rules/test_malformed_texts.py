"""Reading any text at all gives a value or one of the documented errors, and soon."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import (
    RULE_SETS,
    Action,
    Card,
    Deck,
    Move,
    NotationError,
    Position,
    Record,
    RulesError,
    RuleSet,
    UnknownRuleSet,
)
from tests.games.rules.strategies import named_rule_sets, records, shuffled

Reader = Callable[[str], object]

READERS: dict[str, Reader] = {
    "card": Card.from_text,
    "deck": Deck.from_text,
    "move": Move.from_text,
    "move of one deck": lambda text: Move.from_text(text, decks=1),
    "action": Action.from_text,
    "position": lambda text: Position.from_text(text, RULE_SETS["standard"]),
    "position with cells": lambda text: Position.from_text(text, RULE_SETS["cell"]),
    "position of two decks": lambda text: Position.from_text(text, RULE_SETS["up-and-down"]),
}
EVERY_READER = pytest.mark.parametrize("read", READERS.values(), ids=READERS)

LONG = 100_000  # characters or more: reading that is not linear would take minutes

# Letters, marks and digits that occur in the notation, and some that only look like them.
PIECES = [
    "4s",
    "Th",
    "10",
    "K",
    "c",
    "??",
    "--",
    "|",
    "/",
    "+",
    ",",
    "*",
    "w",
    "r:",
    "c:",
    "2",
    "@",
    "[",
    '"',
    "\\",
    "D",
    "P",
]
LOOKALIKES = ["\u212a", "\u017f", "\uff14", "\u0664", "\u00b2", "\u2028", "\x00", "\x1c", "\ud800", "\U0001f0a1"]
garbage = st.text() | st.lists(st.sampled_from([*PIECES, *LOOKALIKES, " ", "\n"]), max_size=60).map("".join)


@EVERY_READER
@given(text=garbage)
def test_any_text_is_a_value_or_a_notation_error(read: Reader, text: str) -> None:
    with suppress(NotationError):
        read(text)


@given(text=garbage)
def test_any_text_is_a_record_or_one_of_two_errors(text: str) -> None:
    with suppress(NotationError, UnknownRuleSet):
        Record.from_text(text)


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """A text with one piece of it replaced by garbage."""
    start = draw(st.integers(0, len(text)))
    return text[:start] + draw(garbage) + text[start + draw(st.integers(0, 8)) :]


@given(records(), st.data())
def test_a_damaged_record_is_refused_or_replays_by_the_rules(record: Record, data: st.DataObject) -> None:
    with suppress(RulesError):
        Record.from_text(data.draw(damaged(record.text))).replay()


@given(named_rule_sets, st.data())
def test_a_damaged_position_is_refused_or_written_as_it_is_read(rules: RuleSet, data: st.DataObject) -> None:
    text = data.draw(damaged(Position.deal(shuffled(1, rules.decks), rules).text))
    with suppress(NotationError):
        position = Position.from_text(text, rules)
        assert Position.from_text(position.text, rules) == position


@EVERY_READER
@pytest.mark.parametrize("piece", ["4s", " ", "1", "Ac/", '[a "b"]\n', "D@1 ", "\\", "??"])
def test_a_text_of_many_characters_is_refused_in_one_reading(read: Reader, piece: str) -> None:
    with pytest.raises(NotationError):
        read(piece * (LONG // len(piece)))


@pytest.mark.parametrize(
    "text",
    ['[a "b"]\n' * LONG, '[a "' + "x" * LONG, '[a "' + "\\\\" * LONG, "[" * LONG, "[a" + " " * LONG],
    ids=["tags", "open value", "escapes", "brackets", "white space"],
)
def test_a_long_record_without_its_tags_is_refused_in_one_reading(text: str) -> None:
    with pytest.raises(NotationError):
        Record.from_text(text)


@pytest.mark.parametrize("body", ["D@1 " * LONG + "*", "D" * LONG, "D@" * LONG, "@1 " * LONG, " " * LONG])
def test_a_record_with_a_long_body_is_read_in_one_reading(body: str) -> None:
    tags = f'[Game "g"][Rules "standard"][Deck "{shuffled(1).text}"][Player "p"][Started "2026-03-01T10:00:00Z"]'
    with suppress(NotationError):
        assert len(Record.from_text(tags + body).actions) == LONG
