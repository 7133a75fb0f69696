"""Find the ways to free a tableau card for a talon card: options per shape, made when the shape is first met."""

import numpy as np

from games.solver.bits import lowest, popcount
from games.solver.borrowing import borrowed
from games.solver.compiling import inlined, kernel
from games.solver.kernels_tableau import pair_partners

OPTION = np.dtype([("target", np.uint32), ("next", np.int32), ("cost", np.int16)], align=True)
RANKS = 14
NOT_MADE = -1
_DEEPEST = 32


@kernel
def make_options(tableau, shape, first, clear, options, used):
    """Add the options of a shape and return the (perhaps larger) array and how many it holds.

    An option is a tableau card with only those tableau pairs before it without which it would not be free; it leads
    to a target shape at a cost in removals, its own included. first[shape, rank] starts a list of them, -1 ends it;
    clear[shape] is the cost of clearing the tableau with no talon card, -1 if that cannot be done.
    """
    tableau = borrowed(tableau)
    first = borrowed(first)
    clear = borrowed(clear)
    first[shape] = -1
    clear[shape] = -1
    at = np.empty(_DEEPEST, np.int64)  # the shape at each depth of the pairs tried
    pair = np.zeros(_DEEPEST, np.int64)  # bits of the pair that led to it
    cards = np.empty(_DEEPEST, np.int64)  # exposed cards still to be tried there
    others = np.zeros(_DEEPEST, np.int64)  # partners still to be tried with the first of them
    depth = np.int64(0)
    at[0] = shape
    cards[0] = tableau.exposed[shape]
    options, used = _note(tableau, pair, depth, shape, shape, first, clear, options, used)
    while depth >= 0:
        if not cards[depth]:
            depth -= 1
            continue
        card = lowest(cards[depth])
        if not others[depth]:
            others[depth] = pair_partners(tableau, at[depth], card)
            if not others[depth]:
                cards[depth] &= cards[depth] - 1
                continue
        other = lowest(others[depth])
        others[depth] &= others[depth] - 1
        if not others[depth]:
            cards[depth] &= cards[depth] - 1
        both = 1 << card | 1 << other
        if depth and both < pair[depth] and _was_free(tableau, at[depth - 1], card, other):
            continue  # the other order of two independent pairs is tried too
        after = np.int64(tableau.settled[tableau.without[tableau.without[at[depth], card], other]])
        depth += 1
        at[depth] = after
        pair[depth] = both
        cards[depth] = tableau.exposed[after]
        others[depth] = 0
        options, used = _note(tableau, pair, depth, shape, after, first, clear, options, used)
    return options, used


@inlined
def _note(tableau, pair, depth, shape, here, first, clear, options, used):
    """Add an option for each card that needed all the pairs up to here."""
    gone = tableau.present[shape] ^ tableau.present[here]
    if not tableau.present[here]:
        clear[shape] = popcount(gone) - depth
    rest = tableau.exposed[here]
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if _all_needed(tableau.covers, pair, depth, gone & tableau.kings, card):
            target = tableau.settled[tableau.without[here, card]]
            start = first[shape, tableau.rank[card]]
            if not _is_known(options, start, target):
                if used == options.size:
                    options = np.concatenate((options, np.empty(used, OPTION)))
                options[used].target = target
                options[used].cost = popcount(tableau.present[shape] ^ tableau.present[target]) - depth
                options[used].next = start
                first[shape, tableau.rank[card]] = used
                used += 1
    return options, used


@inlined
def _is_known(options, option, target):
    while option >= 0:
        if options[option].target == target:
            return True
        option = options[option].next
    return False


@inlined
def _was_free(tableau, shape, card, other):
    """Return True if a pair could have left before the pair before it."""
    if not tableau.exposed[shape] >> card & 1:
        return False
    later = tableau.without[shape, card] if tableau.overlap else shape
    return tableau.exposed[later] >> other & 1 != 0


@inlined
def _all_needed(covers, pair, depth, kings, card):
    """Return True if each pair, or a King that it sets free, covers the card or a later pair that is needed.

    An option with any other pair would remove more than it has to, and that pair can leave later just as well.
    """
    over = _over_kings(covers, covers[card], kings)
    for earlier in range(depth, 0, -1):
        if not over & pair[earlier]:
            return False
        low = lowest(pair[earlier])
        high = lowest(pair[earlier] & (pair[earlier] - 1))
        over = _over_kings(covers, over | covers[low] | covers[high], kings)
    return True


@inlined
def _over_kings(covers, over, kings):
    rest = over & kings
    while rest:
        king = lowest(rest)
        kings &= ~(1 << king)
        over |= covers[king]
        rest = over & kings
    return over
