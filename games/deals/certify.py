"""Prove decks winnable, and choose the deal of a day among the decks of its seed."""

from games import solver
from games.deals.daily import DailyKey
from games.deals.grading import LIMITS, Grade, grade_of
from games.deals.shuffle import random_deck
from games.rules import RULE_SETS, Deck, Position, RuleSet
from games.solver.verdict import has_exact_verdict, verdict

MOST_CANDIDATES = 10_000
MOST_AT_ONCE = 100
UNDECIDED = frozenset({"apophis", "cell", "cheops"})  # sometimes, after the longest searches


def is_certifiable(rules: RuleSet) -> bool:
    """Return True if the solver decides every deck of these rules in reasonable time, as it cannot with two decks."""
    return rules.decks == 1


def is_found_at_once(rules: RuleSet, *, is_graded: bool) -> bool:
    """Return True if the deal of a seed is found within seconds, as it must be where the seed is known late.

    Grades are found soon where their limits were set for the rule set, so that none is rare; elsewhere nearly all
    deals may be hard.
    """
    return rules.slug not in UNDECIDED and (not is_graded or rules.slug in LIMITS)


def can_be_won(deck: Deck, rules: RuleSet) -> bool | None:
    """Return True if a deck can be won, False if it cannot, None if undecided."""
    position = Position.deal(deck, rules)
    return verdict(position) if has_exact_verdict(rules) else solver.is_winnable(position)


def winnable_at_once(rules: RuleSet) -> Deck | None:
    """Return an unpredictable deck that can be won, in milliseconds; None where a verdict takes a search.

    Three of four can be won.
    """
    if not has_exact_verdict(rules):
        return None
    decks = (random_deck(rules) for _ in range(MOST_AT_ONCE))
    return next((deck for deck in decks if can_be_won(deck, rules)), None)


def first_fitting(key: DailyKey, seed: bytes, grade: Grade | None = None) -> int | None:
    """Return the number of the first deck of a seed that can be won and has the requested grade, if any.

    None if a deck before it is undecided, or none of the first `MOST_CANDIDATES` fits.
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
