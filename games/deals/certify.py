"""Which decks can be won: proved, not guessed."""

from __future__ import annotations

from itertools import count

from games import solver
from games.deals.daily import DailyKey
from games.rules import RULE_SETS, Deck, Position, RuleSet
from games.solver.verdict import has_exact_verdict, verdict


def is_certifiable(rules: RuleSet) -> bool:
    """Tell whether every deck of these rules is decided in reasonable time; with two decks that is out of reach."""
    return rules.decks == 1


def can_be_won(deck: Deck, rules: RuleSet) -> bool | None:
    """Tell whether a deck can be won; None if it is not decided."""
    position = Position.deal(deck, rules)
    return verdict(position) if has_exact_verdict(rules) else solver.is_winnable(position)


def first_winnable(key: DailyKey, seed: bytes) -> int | None:
    """Return the number of the first deck of a seed that can be won; None if some deck before it is not decided."""
    rules = RULE_SETS[key.rules]
    if not is_certifiable(rules):
        return None
    for candidate in count():
        winnable = can_be_won(key.deck(seed, candidate), rules)
        if winnable is not False:
            return candidate if winnable else None
    raise AssertionError("the stream of candidates has no end")
