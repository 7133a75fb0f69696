"""Hypothesis strategies: decks, rule sets named and made up, positions, plays and records."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from games.rules import (
    CARDS,
    HINT,
    REDO,
    RULE_SETS,
    UNDO,
    Action,
    Deck,
    Goal,
    IllegalMove,
    InvalidRuleSet,
    Kind,
    Match,
    Move,
    Outcome,
    Peak,
    Play,
    Position,
    Record,
    RuleSet,
)

NAMED = tuple(RULE_SETS.values())
LONGEST_LINE = 120

named_rule_sets = st.sampled_from(NAMED)
seeds = st.integers(0, 2**32 - 1)
tag_values = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20)


def shuffled(seed: int, decks: int = 1) -> Deck:
    cards = list(CARDS[: 52 * decks])
    random.Random(seed).shuffle(cards)
    return Deck(tuple(cards))


@st.composite
def made_up_rule_sets(draw: st.DrawFn) -> RuleSet:
    """Any valid rule set, its parts mixed as no named one mixes them."""
    drawn = draw(st.integers(1, 4))
    thrown = drawn == 1 and draw(st.integers(0, 4)) == 0
    talon: dict[str, Any] = {
        "draw": drawn,
        "wastes": 0 if thrown else draw(st.integers(1, drawn)),
        "stock_open": thrown or (drawn == 1 and draw(st.booleans())),
        "stock_seen": draw(st.booleans()),
        "passes": 1 if thrown else draw(st.sampled_from([1, 2, 3, None])),
    }
    peaks = st.builds(Peak, rows=st.integers(1, 9), inverted=st.booleans())
    fields: dict[str, Any] = {
        "tableau": tuple(draw(st.lists(peaks, min_size=1, max_size=3))),
        "decks": draw(st.sampled_from([1, 2])),
        "match": draw(st.sampled_from(Match)),
        "reserve": draw(st.sampled_from([(0, 0), (1, 5), (3, 2), (8, 1)])),
        "cells": draw(st.sampled_from([0, 0, 0, 1, 2])),
        "goal": draw(st.sampled_from(Goal)),
        **draw(st.sampled_from([{}, {"overlap": True}, {"face_down": True}])),
    }
    try:
        return RuleSet("made-up", **fields, **talon)
    except InvalidRuleSet as error:
        assume(error.field in talon)  # else the tableau is too large; here no stock is left to draw from
        return RuleSet("made-up", **fields)


rule_sets = named_rule_sets | made_up_rule_sets()


@st.composite
def positions(draw: st.DrawFn, rules: st.SearchStrategy[RuleSet] = rule_sets) -> Position:
    """A position some way into a random play."""
    return draw(plays(rules)).position


@st.composite
def plays(draw: st.DrawFn, rules: st.SearchStrategy[RuleSet] = rule_sets) -> Play:
    """A play with undos, redos and hints."""
    chosen = draw(rules)
    return _played(draw, shuffled(draw(seeds), chosen.decks), chosen)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """The record of a random play, finished or not."""
    rules = draw(named_rule_sets)
    deck = shuffled(draw(seeds), rules.decks)
    play = _played(draw, deck, rules)
    if play.result is None and draw(st.booleans()):
        play.end(draw(st.sampled_from([Outcome.EXPIRED, play.outcome or Outcome.RESIGNED])))
    return Record(
        game=draw(tag_values),
        rules=rules,
        deck=deck,
        player=draw(tag_values),
        started=draw(st.sampled_from(["2026-03-01T10:00:00Z", "2026-12-31T23:59:59.123456Z"])),
        actions=tuple(play.actions),
        result=play.result,
        more_tags=tuple(draw(st.lists(st.tuples(st.from_regex(r"\A[A-Z][A-Za-z0-9]*\Z"), tag_values), max_size=2))),
    )


def _played(draw: st.DrawFn, deck: Deck, rules: RuleSet) -> Play:
    play, chance = Play(Position.deal(deck, rules)), random.Random(draw(seeds))
    for _ in range(draw(st.integers(0, LONGEST_LINE))):
        do_something(chance, play)
    return play


def do_something(chance: random.Random, play: Play) -> None:
    """Take a random action if one is allowed: mostly a move, sometimes an undo, a redo or a hint."""
    besides: list[Action] = [UNDO, REDO, HINT]
    moves = play.position.legal_moves and chance.random() < 0.8
    action = some_move(chance, play.position) if moves else chance.choice(besides)
    if play.result is None:
        try:
            play.do(action, play.elapsed_ms + chance.choice([0, 1, 700, 12345]))
        except IllegalMove:
            assert action in (UNDO, REDO)


def some_move(chance: random.Random, position: Position) -> Move:
    """Choose a legal move, removals more often than draws, so that plays get somewhere."""
    removals = [move for move in position.legal_moves if move.kind is Kind.REMOVE]
    return chance.choice(removals if removals and chance.random() < 0.5 else position.legal_moves)
