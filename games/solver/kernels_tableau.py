"""Compute the pairs that can leave inside a tableau, per deck, by dynamic programming over its shapes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.solver.bits import below, lowest
from games.solver.borrowing import borrowed
from games.solver.compiling import inlined, kernel
from games.solver.counts import ANY, CLASSES, FIELD, partners

_WORD = 64

Words = NDArray[np.int64]


class Tableau(NamedTuple):
    """Facts about each shape of one deck's tableau; only shapes within the start are filled in."""

    present: Words
    exposed: Words
    without: NDArray[np.int32]
    covers: Words  # (cards,) the cards right on a card
    above: Words  # (cards,) the cards that have to leave before a card is free
    rank: Words  # (cards,)
    unit: Words  # (cards,) packed count of each card
    mates: Words  # (cards,) tableau cards each card may leave with
    kings: int  # bits of the cards that leave alone
    overlap: bool
    key: int  # rank that takes the last tableau card, 0 if there is no such card
    key_pairs: int  # bits of the tableau cards that may take it instead
    stride: Words  # (6,) place of each rank class in a vector
    settled: NDArray[np.int32]  # (shapes,) the shape once every exposed King has left
    counts: Words  # (shapes,) packed counts
    flipped: Words  # (shapes, cards) packed counts of partners for the cards above a card
    pairs: Words  # (shapes,) most tableau pairs that can leave it
    vectors: NDArray[np.uint64]  # (shapes, words) set of the achievable vectors "tableau pairs per rank class"


@inlined
def pair_partners(tableau, shape, card):
    """Return the tableau cards that may leave together with an exposed card, each pair seen from one side."""
    free = tableau.exposed[shape] & ~below(card + 1)
    if tableau.overlap:
        free |= tableau.exposed[tableau.without[shape, card]] & ~tableau.exposed[shape]
    return free & tableau.mates[card]


@kernel
def fill(tableau, start):
    """Fill the facts about every shape within the start."""
    tableau = borrowed(tableau)
    tableau.vectors[0, 0] = 1
    for shape in range(1, start + 1):
        if tableau.present[shape] & ~tableau.present[start]:
            continue
        _count(tableau, shape)
        kings = tableau.exposed[shape] & tableau.kings
        if kings:
            _copy(tableau, shape, tableau.settled[tableau.without[shape, lowest(kings)]])
        else:
            _combine(tableau, shape)


@inlined
def _count(tableau, shape):
    first = lowest(tableau.exposed[shape])
    smaller = tableau.without[shape, first]
    tableau.counts[shape] = tableau.counts[smaller] + tableau.unit[first]
    partner = partners(tableau.unit[first])
    rest = tableau.present[smaller]
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        tableau.flipped[shape, card] = tableau.flipped[smaller, card] + (
            partner if tableau.above[card] >> first & 1 else 0
        )


@inlined
def _copy(tableau, shape, settled):
    tableau.settled[shape] = settled
    tableau.pairs[shape] = tableau.pairs[settled]
    for word in range(tableau.vectors.shape[1]):
        tableau.vectors[shape, word] = tableau.vectors[settled, word]


@inlined
def _combine(tableau, shape):
    """Gather what is achievable after each single card and each pair that may leave next."""
    tableau.settled[shape] = shape
    rest = tableau.exposed[shape]
    most = 0
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        single = tableau.without[shape, card]
        most = max(most, tableau.pairs[single])
        _merge(tableau.vectors, shape, single, 0)
        others = pair_partners(tableau, shape, card)
        while others:
            after = tableau.without[single, lowest(others)]
            others &= others - 1
            most = max(most, tableau.pairs[after] + 1)
            _merge(tableau.vectors, shape, after, _place(tableau, tableau.unit[card]))
    tableau.pairs[shape] = most


@inlined
def _place(tableau, unit):
    """Return the place of a card's rank class in a vector, 0 for a rank without a class."""
    both = unit | partners(unit)
    for field in range(CLASSES):
        if both >> FIELD * field & ANY:
            return tableau.stride[field]
    return 0


@inlined
def _merge(vectors, shape, source, shift):
    """Add the vectors of another shape, each with one pair more of the class at this place."""
    # One more pair of a class is a fixed distance in the bit set, so one long shift moves all vectors at once.
    skip = shift // _WORD
    left = np.uint64(shift % _WORD)
    right = np.uint64(_WORD - shift % _WORD)
    # From the highest word down, since a word takes bits from the ones below it.
    for word in range(vectors.shape[1] - 1, skip - 1, -1):
        vectors[shape, word] |= vectors[source, word - skip] << left
        if left and word > skip:
            vectors[shape, word] |= vectors[source, word - skip - 1] >> right


@inlined
def achievable(tableau, shape, need):
    """Return True if a shape can be cleared with at least these numbers of tableau pairs per rank class.

    The exact numbers are looked up, which is enough: any pair may also leave as two single cards, so a shape that can
    be cleared with more pairs can be cleared with fewer.
    """
    index = 0
    for field in range(CLASSES):
        index += (need >> FIELD * field & ANY) * tableau.stride[field]
    return tableau.vectors[shape, index >> 6] >> np.uint64(index & 63) & np.uint64(1) != 0
