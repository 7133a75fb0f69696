"""Every example of docs/notation.md is what it says it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.rules import RULE_SETS, Action, Deck, Move, NotationError, Position, Record, RuleSet
from tests.games.rules.perft import Case, read_block
from tests.games.rules.test_perft import lines_of_play

PAGE = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="ascii")


def blocks(kind: str) -> list[tuple[RuleSet | None, str]]:
    """The fenced blocks of a kind, with the rule set that stands behind it."""
    found = re.findall(rf"^```{kind}(?: ([\w-]+))?\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return [(RULE_SETS[slug] if slug else None, text) for slug, text in found]


POSITIONS = [(rules, line) for rules, text in blocks("position") for line in text.splitlines()]
CASES: list[Case] = [read_block("notation", text) for _, text in blocks("perft")]
SPELLINGS = re.findall(r"^\| `(.*)` \| (?:`(.*)`|refused) \|$", PAGE, re.MULTILINE)


def test_there_are_examples_of_every_kind() -> None:
    kinds = re.findall(r"^```(\w+)", PAGE, re.MULTILINE)
    assert set(kinds) == {"deck", "position", "actions", "line", "record", "perft"}
    assert len(SPELLINGS) == 11


@pytest.mark.parametrize(("rules", "text"), POSITIONS)
def test_a_position_is_one_of_its_rules_in_canonical_spelling(rules: RuleSet, text: str) -> None:
    assert Position.from_text(text, rules).text == text


def test_decks_are_decks() -> None:
    for _, text in blocks("deck"):
        assert Deck.from_text(text).text == text.strip()


def test_actions_are_actions_in_canonical_spelling() -> None:
    for _, text in blocks("actions"):
        assert [Action.from_text(word).text for word in text.split()] == text.split()


def test_a_line_leads_from_position_to_position() -> None:
    for rules, text in blocks("line"):
        assert rules is not None
        first, *steps = text.splitlines()
        position = Position.from_text(first, rules)
        for move, after in zip(steps[::2], steps[1::2], strict=True):
            position = position.after(Move.from_text(move))
            assert position.text == after
        assert position.is_won


@pytest.mark.parametrize(("read", "written"), SPELLINGS)
def test_a_spelling_is_read_as_the_page_says(read: str, written: str) -> None:
    if written:
        assert Action.from_text(read, decks=1).text == written
    else:
        with pytest.raises(NotationError):
            Action.from_text(read, decks=1)


def test_a_record_is_canonical_and_replays() -> None:
    for _, text in blocks("record"):
        record = Record.from_text(text)
        assert record.text == text
        assert record.replay().version == len(record.actions) > 0


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_perft_is_counted_as_the_page_says(case: Case) -> None:
    assert {length: lines_of_play(case.position, length) for length in case.counts} == case.counts
