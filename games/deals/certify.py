"""Which decks can be won: proved, not guessed. Which of a seed's decks is the deal of its day."""

from __future__ import annotations

from games import solver
from games.deals.daily import DailyKey
from games.deals.grading import Grade, grade_of
from games.rules import RULE_SETS, Deck, Position, RuleSet
from games.solver.verdict import has_exact_verdict, verdict

MOST_CANDIDATES = 10_000


def is_certifiable(rules: RuleSet) -> bool:
    """Return True if every deck of these rules is decided in reasonable time; with two decks that is out of reach."""
    return rules.decks == 1


def can_be_won(deck: Deck, rules: RuleSet) -> bool | None:
    """Return whether a deck can be won, or None if it is not decided."""
    position = Position.deal(deck, rules)
    return verdict(position) if has_exact_verdict(rules) else solver.is_winnable(position)


def first_fitting(key: DailyKey, seed: bytes, grade: Grade | None = None) -> int | None:
    """Return the number of the first deck of a seed that can be won and has the grade, if one is asked for.

    None if some deck before it is not decided, or none of the first `MOST_CANDIDATES` fits.
    """
    rules = RULE_SETS[key.rules]
    if not is_certifiable(rules):
        return None
    for candidate in range(MOST_CANDIDATES):
        deck = key.deck(seed, candidate)
        winnable = can_be_won(deck, rules)
        if winnable is None:
            return None
        if winnable and (grade is None or grade_of(deck, rules) is grade):
            return candidate
    return None
