"""Decks that are known to be winnable, and countless others that are as winnable: a deal without a search."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from games.deals.look_alikes import disguised, randomness
from games.deals.shuffle import shuffled
from games.rules import RULE_SETS, Deck, RuleSet

# Each line is a slug, a deck and a line of play to the win, which is the proof.
_FILE = Path(__file__).with_name("known_wins.txt")


def known_win(rules: RuleSet) -> Deck:
    """Return a deck that can be won, unpredictable among those that play like the known ones of these rules."""
    (deck, *_) = shuffled(decks_of(rules), randomness())
    return disguised(deck, rules)


@cache
def decks_of(rules: RuleSet) -> tuple[Deck, ...]:
    """Return the known decks of a named rule set."""
    return tuple(deck for named, deck, _ in proofs() if named == rules)


def proofs() -> Iterator[tuple[RuleSet, Deck, list[str]]]:
    """Yield the known decks of all rule sets, each with the moves of a win."""
    for line in _FILE.read_text(encoding="ascii").splitlines():
        slug, deck, *moves = line.split()
        yield RULE_SETS[slug], Deck.from_text(deck), moves
