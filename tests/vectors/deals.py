"""Deals with what was revealed of them, and reveals of operators who lie."""

from __future__ import annotations

import hashlib
from typing import Any

from games.deals.certify import can_be_won, first_fitting
from games.deals.daily import DailyKey
from games.deals.grading import Grade, grade_of
from games.deals.shuffle import bytes_of_key, shuffled_deck
from games.rules import RULE_SETS
from tests.vectors.leaves import FIRST_DAY

Vector = dict[str, Any]

SEED = bytes(range(32))
BY_SEARCH = {"relaxed": 0}
"""The first decks of the seed that can be won, where deciding that takes the solver, which takes long to load."""


def deal(rules: str, grade: Grade | None = None, **changes: Any) -> Vector:
    """Return a deal as it was committed to and revealed; `changes` are to what was revealed."""
    key = DailyKey(FIRST_DAY, rules, "open")
    candidate = BY_SEARCH[rules] if rules in BY_SEARCH else first_fitting(key, SEED, grade) or 0
    reveal = {"seed": SEED.hex(), "candidate": candidate, "deck": key.deck(SEED, candidate).text, **changes}
    committed = {"day": str(key.day), "rules": rules, "division": "open", "grade": grade}
    return {**committed, "commitment": key.commitment(SEED), "reveal": reveal}


def other_candidate(rules: str, candidate: int, grade: Grade | None = None) -> Vector:
    deck = DailyKey(FIRST_DAY, rules, "open").deck(SEED, candidate).text
    return deal(rules, grade, candidate=candidate, deck=deck)


def in_size(rules: str, size: int) -> Vector:
    """Return a deal whose deck follows from its seed, but for the number of its cards."""
    stream = bytes_of_key(SEED, f"deck|{DailyKey(FIRST_DAY, rules, 'open')}|0")
    return deal(rules, candidate=0, deck=shuffled_deck(stream, size).text)


def later(rules: str, grade: Grade | None, *, fits: bool) -> Vector:
    """Return a deal with the next candidate that can be won, and that has the grade asked for or has not."""
    key, rule_set = DailyKey(FIRST_DAY, rules, "open"), RULE_SETS[rules]
    first = first_fitting(key, SEED, grade) or 0
    for candidate in range(first + 1 if fits else 0, 200):
        deck = key.deck(SEED, candidate)
        if can_be_won(deck, rule_set) and (grade is None or (grade_of(deck, rule_set) is grade) is fits):
            return other_candidate(rules, candidate, grade)
    raise LookupError(f"no such candidate of {key}")


def graded(made: Vector, grade: Grade) -> Vector:
    """Return a deal whose reveal names a grade."""
    return {**made, "reveal": {**made["reveal"], "grade": grade}}


def swapped(rules: str) -> Vector:
    honest = deal(rules)
    deck = honest["reveal"]["deck"]
    return deal(rules, deck=deck[2:4] + deck[:2] + deck[4:])


def vectors() -> dict[str, list[Vector]]:
    other = hashlib.sha256(b"another seed").digest()
    valid = {
        "any deck that can be won": deal("standard"),
        "the first hard deck": deal("standard", Grade.HARD),
        "a hard deck that is called so": graded(deal("standard", Grade.HARD), Grade.HARD),
        "the first easy deck of pairs that cover each other": deal("covered-pairs", Grade.EASY),
        "a choice that takes a search": deal("relaxed"),
        "two decks": deal("two-pyramids"),
    }
    refused = {
        "another seed": deal("standard", seed=other.hex()),
        "a seed in capitals": deal("standard", seed=SEED.hex().upper()),
        "the deck of another candidate": {**deal("standard", candidate=deal("standard")["reveal"]["candidate"] + 1)},
        "two cards were exchanged": swapped("standard"),
        "a later deck that can be won": later("standard", None, fits=True),
        "a deck of another grade": later("standard", Grade.HARD, fits=False),
        "a later deck of the grade": later("standard", Grade.HARD, fits=True),
        "two decks for a rule set of one": in_size("relaxed", 104),
        "one deck for a rule set of two": in_size("two-pyramids", 52),
        "a candidate before the first": other_candidate("relaxed", -1),
        "a candidate that not all readers of JSON can read": other_candidate("relaxed", 2**53 + 1),
        "another grade than the revealed one": graded(deal("standard", Grade.HARD), Grade.EASY),
        "a grade that nobody asked for and the deck has not": graded(deal("standard"), Grade.HARD),
        "a candidate in quotation marks": deal("relaxed", candidate="0"),
    }
    return {
        "valid": [{"name": name, **vector} for name, vector in valid.items()],
        "refused": [{"name": name, **vector} for name, vector in refused.items()],
    }
