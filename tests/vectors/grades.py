"""Grades of deals, with the wins of both simulated players."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from games.deals.daily import DailyKey
from games.deals.grading import LIMITS, Grade, grade_of, wins
from games.rules import RULE_SETS, Deck
from tests.vectors.leaves import FIRST_DAY

SEED = bytes(32)
OTHERS = ("open-pyramid", "cell", "eleven-triangle")


def graded(slug: str, deck: Deck) -> dict[str, Any]:
    careless, careful = wins(deck, RULE_SETS[slug])
    grade = grade_of(deck, RULE_SETS[slug])
    return {"rules": slug, "deck": deck.text, "careless": careless, "careful": careful, "grade": grade}


def vectors() -> dict[str, list[dict[str, Any]]]:
    decks = {slug: DailyKey(FIRST_DAY, slug, "open").deck for slug in (*LIMITS, *OTHERS)}
    of_standard = {grade: _first(decks["standard"], grade) for grade in Grade}
    valid = [graded("standard", deck) for deck in of_standard.values()]
    valid += [graded(slug, decks[slug](SEED, 1)) for slug in decks if slug != "standard"]
    wrong = [
        {"rules": "standard", "deck": deck.text, "grade": other}
        for grade, deck in of_standard.items()
        for other in Grade
        if other is not grade
    ]
    return {"valid": valid, "refused": [{"name": f"not {each['grade']}", **each} for each in wrong]}


def _first(deck: Callable[[bytes, int], Deck], grade: Grade) -> Deck:
    decks = (deck(SEED, candidate) for candidate in count())
    return next(found for found in decks if grade_of(found, RULE_SETS["standard"]) is grade)
