"""Translate positions into the words of the kernels; no other module knows the meaning of their bits."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.rules import UNSEEN, Card, Goal, Match, NotationError, Position, RuleSet
from games.solver.counts import CLASSES, FIELD, HALF
from games.solver.kernels_tableau import Tableau, fill
from games.solver.kernels_talon import Talon
from games.solver.shapes import Shapes, shapes_of

MOST_SHAPES = 20_000
RANKS = range(1, 14)
THIRTEEN_PLUS_NONE = 14
_CHUNK = 8


class Matching(NamedTuple):
    """The ranks that leave together, and those of them that are counted."""

    mates: tuple[tuple[int, ...], ...]  # (14,) the ranks that may leave with a rank
    partner: tuple[int, ...]  # (14,) the same as bits
    solo: tuple[bool, ...]  # (14,)
    classes: tuple[tuple[int, int], ...]  # the pairs of ranks that are counted
    unit: tuple[int, ...]  # (14,) packed count of one card


class Packed(NamedTuple):
    """A position in the words of the kernels, and the cards of its bits."""

    tableau: Tableau
    talon: Talon
    start: int  # shape
    live: int  # talon cards in play
    cursor: int
    places: tuple[Card | None, ...]  # tableau cards by bit
    cards: tuple[Card, ...]  # talon cards by bit


def require_all_seen(position: Position) -> None:
    """Raise `NotationError` for a position with unseen cards."""
    is_unseen_left = UNSEEN in position.layout.cards and UNSEEN in position.tableau
    if is_unseen_left or UNSEEN in _talon_cards(position) or UNSEEN in position.cells:
        raise NotationError(f"the solver needs a position without unseen cards: {position.text!r}")


def is_packable(rules: RuleSet) -> bool:
    """Return True if the shape search can play these rules."""
    # The walk takes all pile cards, in their order, as the new stock; that is right for a single waste pile only.
    piles = rules.wastes + rules.reserve[0]
    turns_one_pile = rules.passes == 1 or piles == 1
    return not rules.cells and turns_one_pile and shapes_of(covers_of(rules), MOST_SHAPES) is not None


@lru_cache(maxsize=64)
def covers_of(rules: RuleSet) -> tuple[int, ...]:
    """Return for each tableau place the bits of the places right on it."""
    covers: list[int] = []
    for peak in rules.tableau:
        first = len(covers)
        covers += [sum(1 << first + cover for cover in above) for above in peak.covers()]
    return tuple(covers)


@lru_cache(maxsize=8)
def matching(match: Match) -> Matching:
    """Return the matches by rank. A rank is counted if it has just one partner, another rank."""
    mates = tuple(tuple(r for r in RANKS if match.accepts(rank, r)) for rank in range(THIRTEEN_PLUS_NONE))
    classes = [(rank, mates[rank][0]) for rank in RANKS if len(mates[rank]) == 1 and rank < mates[rank][0]]
    classes = [(low, high) for low, high in classes if mates[high] == (low,)][:CLASSES]
    unit = [0] * THIRTEEN_PLUS_NONE
    for field, (low, high) in enumerate(classes):
        unit[low], unit[high] = 1 << FIELD * field, 1 << HALF + FIELD * field
    partner = tuple(sum(1 << other for other in others) for others in mates)
    solo = tuple(match.accepts_alone(rank) for rank in range(THIRTEEN_PLUS_NONE))
    return Matching(mates, partner, solo, tuple(classes), tuple(unit))


@lru_cache(maxsize=64)
def above_of(covers: tuple[int, ...]) -> NDArray[np.int64]:
    """Return for each card the bits of all cards that have to leave before it is free."""
    above = [0] * len(covers)
    changed = True
    while changed:
        before = list(above)
        for card, right_on in enumerate(covers):
            above[card] = right_on
            for cover in _bits(right_on):
                above[card] |= above[cover]
        changed = above != before
    return np.array(above, np.int64)


def pack(position: Position) -> Packed:
    """Return a position in words; its rules have to be packable."""
    cards = _talon_cards(position)
    shapes = shapes_of(covers_of(position.rules), MOST_SHAPES)
    assert shapes is not None
    present = sum(shape.occupied for shape in position.shapes)
    start = _start(shapes, present)
    places = tuple(card if present >> place & 1 else None for place, card in enumerate(position.layout.cards))
    ranks = [card.rank if card else 0 for card in places]
    mates = _mates_of(ranks, matching(position.rules.match))
    tableau = _tableau(position.rules, shapes, ranks, mates)
    fill(tableau, start)
    talon = _talon(position, cards, mates)
    return Packed(tableau, talon, start, (1 << len(cards)) - 1, len(cards) - len(position.stock), places, cards)


def bits_of(packed: Packed) -> dict[Card, int]:
    """Return a bit for each card: first those of the tableau, then those of the talon."""
    return {card: 1 << bit for bit, card in enumerate((*packed.places, *packed.cards)) if card}


def after_removals(
    bits: dict[Card, int], position: Position, removals: Iterable[Iterable[Card]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the shapes and the talons that each removal from a position leaves, in the bits of an earlier position."""
    shapes = shapes_of(covers_of(position.rules), MOST_SHAPES)
    assert shapes is not None
    size = position.rules.tableau_size
    left = sum([shape.occupied for shape in position.shapes]) | sum([bits[card] for card in _talon_cards(position)])
    after = [left - sum([bits[card] for card in gone]) for gone in removals]
    keys = [_sort_key(one & (1 << size) - 1) for one in after]
    return np.searchsorted(shapes.order, keys), np.array([one >> size for one in after], np.int64)


def _start(shapes: Shapes, present: int) -> int:
    """Return the number of the shape that has these places."""
    return int(np.searchsorted(shapes.order, _sort_key(present)))


def _sort_key(present: int) -> int:
    return present.bit_count() << 56 | present


def _tableau(rules: RuleSet, shapes: Shapes, ranks: list[int], mates: list[int]) -> Tableau:
    match, covers = matching(rules.match), covers_of(rules)
    stride = _strides(ranks, match)
    apex = ranks[0] if _is_pyramid(rules) and rules.wastes == 1 and not rules.reserve_size else 0
    size, words = len(shapes.present), (stride[-1] + 63) // 64
    return Tableau(
        shapes.present,
        shapes.exposed,
        shapes.without,
        covers=np.array(covers, np.int64),
        above=above_of(covers),
        rank=np.array(ranks, np.int64),
        unit=np.array([match.unit[rank] for rank in ranks], np.int64),
        mates=np.array([mates[rank] & ~(1 << card) for card, rank in enumerate(ranks)], np.int64),
        kings=_kings_of(ranks, match),
        overlap=rules.overlap,
        key=apex if match.unit[apex] else 0,
        key_pairs=mates[ranks[0]] & 0b110 if rules.overlap else 0,
        stride=np.array(stride[:-1], np.int64),
        settled=np.zeros(size, np.int32),
        counts=np.zeros(size, np.int64),
        flipped=np.zeros((size, len(ranks)), np.int64),
        pairs=np.zeros(size, np.int64),
        vectors=np.zeros((size, words), np.uint64),
    )


def _is_pyramid(rules: RuleSet) -> bool:
    return len(rules.tableau) == 1 and not rules.tableau[0].inverted and rules.tableau[0].rows > 1


def _strides(ranks: list[int], match: Matching) -> list[int]:
    """Return the places of the classes in a vector of pair numbers, and its size."""
    strides = [1]
    for low, high in match.classes:
        strides.append(strides[-1] * (min(ranks.count(low), ranks.count(high)) + 1))
    return [*strides, *strides[-1:] * (CLASSES - len(match.classes))]


def _talon_cards(position: Position) -> tuple[Card, ...]:
    return tuple(card for pile in (*position.reserve, *position.wastes, position.stock) for card in pile)


def _talon(position: Position, cards: tuple[Card, ...], tableau_mates: list[int]) -> Talon:
    rules, match = position.rules, matching(position.rules.match)
    ranks = [card.rank for card in cards]
    units = [match.unit[rank] for rank in ranks]
    return Talon(
        rank=np.array(ranks or [0], np.uint8),
        unit=np.array(units or [0], np.int64),
        counts=_chunk_counts(units),
        pile=np.array(_piles(position, len(cards)), np.int64),
        mates=np.array(_mates_of(ranks, match), np.int64),
        tableau_mates=np.array(tableau_mates, np.int64),
        partner=np.array(match.partner, np.int64),
        kings=_kings_of(ranks, match),
        draw=rules.draw,
        turns=-1 if position.recycles is None else position.recycles,
        open=rules.stock_open,
        throws=rules.has_stock and not rules.wastes,
        whole=rules.goal is Goal.ALL,
    )


def _piles(position: Position, size: int) -> list[int]:
    """Return the bits of each pile; the i-th card of a draw goes to waste pile i mod wastes."""
    piles, first = [], 0
    for pile in (*position.reserve, *position.wastes):
        piles.append((1 << first + len(pile)) - (1 << first))
        first += len(pile)
    wastes = len(position.wastes)
    for place in range(first, size):
        if wastes:
            piles[len(position.reserve) + (place - first) % position.rules.draw % wastes] |= 1 << place
    return piles


def _chunk_counts(units: list[int]) -> NDArray[np.int64]:
    """Return the packed counts of every set of eight neighbours, a row for each eight cards."""
    chunks = max(1, -(-len(units) // _CHUNK))
    padded = np.array(units + [0] * (_CHUNK * chunks - len(units)), np.int64)
    return padded.reshape(chunks, _CHUNK) @ _SETS_OF_EIGHT


_SETS_OF_EIGHT = (np.arange(1 << _CHUNK)[None, :] >> np.arange(_CHUNK)[:, None] & 1).astype(np.int64)


def _mates_of(ranks: list[int], match: Matching) -> list[int]:
    """Return for each rank the bits of the cards that may leave with it."""
    places = [0] * THIRTEEN_PLUS_NONE
    for place, rank in enumerate(ranks):
        places[rank] |= 1 << place
    return [sum([places[mate] for mate in mates]) for mates in match.mates]


def _kings_of(ranks: list[int], match: Matching) -> int:
    """Return the bits of the cards that leave alone."""
    return sum(1 << place for place, rank in enumerate(ranks) if match.solo[rank])


def _bits(word: int) -> list[int]:
    return [bit for bit in range(word.bit_length()) if word >> bit & 1]
