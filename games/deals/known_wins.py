"""Decks that are known to be winnable, and countless others that are as winnable: a deal without a search.

Rules look at ranks alone, and only at which of them match. So a deck stays winnable if its ranks are exchanged in a way
that keeps every match, and its suits in any way.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from functools import cache
from itertools import chain, repeat
from pathlib import Path

from games.deals.shuffle import shuffled
from games.rules import CARDS, RULE_SETS, Card, Deck, RuleSet
from games.rules.rulesets import KING, Match

# Each line is a slug, a deck and a line of play to the win, which is the proof.
_FILE = Path(__file__).with_name("known_wins.txt")


def known_win(rules: RuleSet) -> Deck:
    """Return a deck that can be won, unpredictable among those that match the known ones of these rules."""
    (deck, *_) = shuffled(decks_of(rules), _randomness())
    return look_alike(deck, rules.match)


@cache
def decks_of(rules: RuleSet) -> tuple[Deck, ...]:
    """Return the known decks of a named rule set."""
    return tuple(deck for named, deck, _ in proofs() if named == rules)


def proofs() -> Iterator[tuple[RuleSet, Deck, list[str]]]:
    """Yield the known decks of all rule sets, each with the moves of a win."""
    for line in _FILE.read_text(encoding="ascii").splitlines():
        slug, deck, *moves = line.split()
        yield RULE_SETS[slug], Deck.from_text(deck), moves


def look_alike(deck: Deck, match: Match) -> Deck:
    """Return a deck whose cards match each other in the same places."""
    new_rank = _exchange(match)
    cards = {rank: iter(shuffled(_cards_of(rank, len(deck.cards)), _randomness())) for rank in range(1, KING + 1)}
    return Deck(tuple(next(cards[new_rank[card.rank]]) for card in deck.cards))


def _exchange(match: Match) -> dict[int, int]:
    """Return a random exchange of ranks that keeps every match.

    Groups of ranks that match only each other change places with groups of their kind, and each may be turned round:
    the ranks of a pair change places, and a row of neighbours runs backwards.
    """
    kinds: dict[tuple[int, bool, bool], list[tuple[int, ...]]] = {}
    for group in _groups(match):
        first = group[0]
        kinds.setdefault((len(group), match.accepts_alone(first), match.accepts(first, first)), []).append(group)
    return {
        rank: new_rank
        for groups in kinds.values()
        for group, other in zip(groups, shuffled(groups, _randomness()), strict=True)
        for rank, new_rank in zip(group, other[:: secrets.choice((1, -1))], strict=True)
    }


def _groups(match: Match) -> list[tuple[int, ...]]:
    """Return the ranks in groups that are connected by matches, each in order."""
    groups: list[set[int]] = []
    for rank in range(1, KING + 1):
        touched = [group for group in groups if any(match.accepts(rank, other) for other in group)]
        groups = [group for group in groups if group not in touched] + [{rank}.union(*touched)]
    return [tuple(sorted(group)) for group in groups]


def _cards_of(rank: int, deck_size: int) -> list[Card]:
    return [card for card in CARDS[:deck_size] if card.rank == rank]


def _randomness() -> Iterator[int]:
    return chain.from_iterable(map(secrets.token_bytes, repeat(64)))
