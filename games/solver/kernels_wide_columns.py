"""The search for any win, for `kernels_wide`: columns of equally many cards, each of which gets its turn."""

import numpy as np

from games.solver.bits import popcount
from games.solver.borrowing import borrowed
from games.solver.compiling import inlined, kernel
from games.solver.kernels_room import more_room
from games.solver.kernels_wide import NODE, expand, is_won, popcount_cells
from games.solver.kernels_wide_estimate import DEAD, estimate
from games.solver.kernels_wide_parts import is_lost_in_part
from games.solver.kernels_wide_search import EXPOSED, ROOM, index_of, larger, may_turn, slot_of, turn
from games.solver.kernels_wide_walk import is_earlier, walk

_NONE = -1
_COLUMNS = 105  # as many cards left in play as two decks have, or fewer
_COSTS = 512
_TOTALS = 4096
_TOGETHER = 10  # nodes that a column gets in each round; 1 or 100 found no more wins


def wide_columns(wide, root, size, limit, weight, is_mixed, at_once, walks, parts):
    """Return (cost of some line or -1, whether -1 is proved, the nodes, their count, the last node of the line).

    In each round every column, from the most cards left to the fewest, continues its cheapest nodes. If mixed, as many
    nodes again are those with the least sum of cost and weighted estimate. Parts are asked of each node at once, where
    almost every one comes to its turn, or else when its turn comes.
    """
    columns = np.full((_COLUMNS, _COSTS), _NONE, np.int32)
    least = np.full(_COLUMNS, _COSTS, np.int64)
    totals = np.full(_TOTALS, _NONE, np.int32)
    numbers = np.empty(EXPOSED, np.int64)
    places = np.empty(EXPOSED, np.int64)
    return _search(
        wide, root, size, limit, weight, is_mixed, at_once, walks, parts, columns, least, totals, numbers, places
    )


@kernel
def _search(wide, root, size, limit, weight, is_mixed, at_once, walks, parts, columns, least, totals, numbers, places):
    """Search in arrays that the caller keeps."""
    wide, parts = borrowed(wide), borrowed(parts)
    columns, least, totals = borrowed(columns), borrowed(least), borrowed(totals)
    numbers, places = borrowed(numbers), borrowed(places)
    room = ROOM + EXPOSED * size  # each talon card may leave with each one that is free
    owned_nodes = np.empty(room, NODE)
    nodes = borrowed(owned_nodes)
    owned_table = np.full(4096, _NONE, np.int32)
    table = borrowed(owned_table)
    owned_orders = np.empty((16, max(1, size)), np.int16)
    orders = borrowed(owned_orders)
    for place in range(size):
        orders[0, place] = wide.board + place
    known = np.int64(1)
    places_of_orders = np.full(64, _NONE, np.int32)
    nodes[0] = root[0]
    looks = parts.talon.size > 0
    at_once = looks and at_once
    rest = estimate(wide, orders, nodes, np.int64(0), weight)
    if rest >= DEAD or is_lost_in_part(wide, parts, orders, nodes[0:1]):
        return _NONE, True, owned_nodes, 1, _NONE
    _queue(nodes, columns, least, totals, np.int64(0), weight * rest)
    lowest_total = np.int64(0)
    table[slot_of(table, nodes, np.int64(0), walks)] = 0
    count = np.int64(1)
    while True:
        continued = 0
        for column in range(_COLUMNS - 1, -2, -1):  # after the last column, the least totals of all
            quota = _TOGETHER
            if column < 0:
                quota = continued if is_mixed else 0
            while quota > 0:
                if count + parts.used[0] > limit:
                    return _NONE, False, owned_nodes, count + parts.used[0], _NONE
                if column >= 0:
                    while least[column] < _COSTS and columns[column, least[column]] < 0:
                        least[column] += 1
                    if least[column] == _COSTS:
                        break
                    node = np.int64(columns[column, least[column]])
                    columns[column, least[column]] = nodes[node].queued
                else:
                    while lowest_total < _TOTALS and totals[lowest_total] < 0:
                        lowest_total += 1
                    if lowest_total == _TOTALS:
                        break
                    node = np.int64(totals[lowest_total])
                    totals[lowest_total] = nodes[node].ranked
                if nodes[node].closed:
                    continue
                nodes[node].closed = 1
                if looks and not at_once and is_lost_in_part(wide, parts, orders, nodes[node : node + 1]):
                    continue
                quota -= 1
                continued += 1
                if is_won(wide, nodes, node):
                    return nodes[node].cost, False, owned_nodes, count + parts.used[0], node
                if count + room > nodes.size:
                    owned_nodes = more_room(owned_nodes, count, room, limit)
                    nodes = borrowed(owned_nodes)
                if walks:
                    end = walk(wide, orders, nodes, node, count, numbers, places)
                else:
                    end = expand(wide, orders, nodes, node, count, numbers, places)
                if not walks and may_turn(wide, nodes, node):
                    if known == orders.shape[0]:
                        owned_orders = np.concatenate((owned_orders, np.empty_like(owned_orders)))
                        orders = borrowed(owned_orders)
                        places_of_orders = index_of(orders, known)
                    known = turn(wide, orders, places_of_orders, known, nodes, node, end)
                    end += 1
                for child in range(count, end):
                    slot = slot_of(table, nodes, child, walks)
                    other = table[slot]
                    if other >= 0 and not is_earlier(wide, nodes, child, other):
                        continue
                    rest = estimate(wide, orders, nodes, child, weight)
                    if rest >= DEAD or at_once and is_lost_in_part(wide, parts, orders, nodes[child : child + 1]):
                        continue
                    if other >= 0:
                        nodes[other].closed = 1  # still queued perhaps; skipped when its turn comes
                    nodes[count] = nodes[child]
                    total = _queue(nodes, columns, least, totals, count, nodes[count].cost + weight * rest)
                    lowest_total = min(lowest_total, total)
                    table[slot] = count
                    count += 1
                    if 2 * count > table.size:
                        owned_table = larger(owned_table, owned_nodes, walks)
                        table = borrowed(owned_table)
        if not continued:
            return _NONE, True, owned_nodes, count + parts.used[0], _NONE


@inlined
def _queue(nodes, columns, least, totals, node, total):
    """Put a node into its column and into the queue of all; return its place there."""
    board, talon = popcount(nodes[node].board), popcount(nodes[node].talon)
    column = board + talon + popcount_cells(nodes[node].parked)
    cost = min(np.int64(nodes[node].cost), _COSTS - 1)
    nodes[node].queued = columns[column, cost]
    columns[column, cost] = node
    least[column] = min(least[column], cost)
    total = min(total, _TOTALS - 1)
    nodes[node].ranked = totals[total]
    totals[total] = node
    return total
