"""The search of one tableau for many orders of the talon; the arrays of each order are filled here, not in Python."""

import numpy as np

from games.solver.bits import lowest
from games.solver.borrowing import borrowed
from games.solver.compiling import inlined, kernel
from games.solver.kernels_search import arrays_for, search_in
from games.solver.kernels_talon import Talon

OPEN = -2
_SETS = 256
_CHUNK = 8


@kernel
def search_orders(tableau, talon, unit, solo, start, live, cursor, rows, limit):
    """Return for each row of ranks the least cost, -1 if there is no win, `OPEN` beyond the limit.

    unit and solo give by rank the packed count of a card and whether it leaves alone; talon has everything that all
    orders share.
    """
    lengths = np.empty(rows.shape[0], np.int64)
    units = np.zeros(rows.shape[1], np.int64)
    mates = np.zeros(talon.mates.size, np.int64)
    counts = np.zeros(talon.counts.shape, np.int64)
    heads, first, clear, made, options, nodes = arrays_for(start)
    used = np.int64(0)
    for number in range(rows.shape[0]):
        kings = _fill(talon.partner, unit, solo, rows[number], units, mates, counts)
        ordered = Talon(
            rows[number],
            units,
            counts,
            talon.pile,
            mates,
            talon.tableau_mates,
            talon.partner,
            kings,
            talon.draw,
            talon.turns,
            talon.open,
            talon.throws,
            talon.whole,
        )
        cost, is_proved, nodes, _count, _last, options, used = search_in(
            tableau, ordered, start, live, cursor, heads, first, clear, made, options, used, nodes, limit, np.int64(1)
        )
        lengths[number] = cost if is_proved else OPEN
    return lengths


@inlined
def _fill(partner, unit, solo, ranks, units, mates, counts):
    """Write the parts that depend on the order into the arrays, and return the bits of the cards that leave alone."""
    ranks, units, mates, counts = borrowed(ranks), borrowed(units), borrowed(mates), borrowed(counts)
    kings = 0
    mates[:] = 0
    for place in range(ranks.size):
        rank = ranks[place]
        units[place] = unit[rank]
        if solo[rank]:
            kings |= 1 << place
        for other in range(mates.size):
            if partner[rank] >> other & 1:
                mates[other] |= 1 << place
    for chunk in range(counts.shape[0]):
        for cards in range(1, _SETS):
            place = chunk * _CHUNK + lowest(cards)
            counts[chunk, cards] = counts[chunk, cards & (cards - 1)] + (units[place] if place < units.size else 0)
    return kings
