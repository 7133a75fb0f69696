"""Decks that play exactly alike: other ranks, other suits, another side of the tableau.

Rules look at ranks alone, and only at which of them match. So ranks may be exchanged in a way that keeps every match,
and suits in any way. Nor do they know left from right: if card j of an upright row of k lies under cards j and j + 1 of
the next row, which has k + 1, then its mirror image k - 1 - j lies under their mirror images k - j and k - 1 - j. Of an
inverted row it lies under j - 1 and j of the next row of k - 1, and the mirror image k - 1 - j under k - 1 - j and
k - 2 - j, which are theirs. So the same cards cover each other, every move stays what it was, and stock and reserve are
untouched: verdict and length of the shortest win are the same.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import chain, repeat

from games.deals.shuffle import shuffled
from games.rules import CARDS, Card, Deck, RuleSet
from games.rules.rulesets import KING, Match


def disguised(deck: Deck, rules: RuleSet) -> Deck:
    """Return one of the decks that play exactly alike, each as likely: by ranks, suits and the side of the tableau."""
    other = look_alike(deck, rules.match)
    return mirrored(other, rules) if secrets.randbelow(2) else other


def mirrored(deck: Deck, rules: RuleSet) -> Deck:
    """Return the deck that deals every row of the tableau from right to left."""
    cards, rest = iter(deck.cards), deck.cards[rules.tableau_size :]
    lengths = [length for peak in rules.tableau for length in peak.row_lengths]
    rows = [[next(cards) for _ in range(length)] for length in lengths]
    return Deck((*(card for row in rows for card in reversed(row)), *rest))


def look_alike(deck: Deck, match: Match) -> Deck:
    """Return a deck whose cards match each other in the same places."""
    new_rank = _exchange(match)
    cards = {rank: iter(shuffled(_cards_of(rank, len(deck.cards)), randomness())) for rank in range(1, KING + 1)}
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
        for group, other in zip(groups, shuffled(groups, randomness()), strict=True)
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


def randomness() -> Iterator[int]:
    """Return endless bytes of the operating system."""
    return chain.from_iterable(map(secrets.token_bytes, repeat(64)))
