"""Best-first search over single actions, for `kernels_wide`, and the parts that other searches share with it."""

import numpy as np

from games.solver.bits import below, lowest
from games.solver.borrowing import borrowed
from games.solver.compiling import inlined, kernel
from games.solver.kernels_room import more_room
from games.solver.kernels_wide import NODE, NOTHING, RECYCLE, expand, is_won
from games.solver.kernels_wide_estimate import DEAD, estimate

_NONE = -1
EXPOSED = 128
ROOM = np.int64(EXPOSED * EXPOSED // 4)  # for the children of a node
_BUCKETS = 8192


def wide_search(wide, root, size, limit, weight):
    """Return (least cost or -1, whether that is proved, the nodes, their count, the last node of the line).

    root is one NODE record, size the number of talon places. Weight 1 finds the least cost, a larger one any.
    """
    heads = np.full(_BUCKETS, _NONE, np.int32)
    numbers = np.empty(EXPOSED, np.int64)
    places = np.empty(EXPOSED, np.int64)
    return _search(wide, root, size, limit, weight, heads, numbers, places)


@kernel
def _search(wide, root, size, limit, weight, heads, numbers, places):
    """Search in arrays that the caller keeps: a kernel around this one would have it compiled a second time."""
    wide = borrowed(wide)
    heads = borrowed(heads)
    numbers = borrowed(numbers)
    places = borrowed(places)
    owned_nodes = np.empty(ROOM, NODE)
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
    rest = estimate(wide, orders, nodes, np.int64(0), weight)
    if rest >= DEAD:
        return _NONE, True, owned_nodes, 1, _NONE
    bucket = weight * rest
    top = bucket
    heads[bucket] = 0
    nodes[0].queued = _NONE
    table[slot_of(table, nodes, np.int64(0), False)] = 0
    count = np.int64(1)
    while True:
        while bucket <= top and heads[bucket] < 0:
            bucket += 1
        if bucket > top:
            return _NONE, True, owned_nodes, count, _NONE
        if count > limit:
            return _NONE, False, owned_nodes, count, _NONE
        node = np.int64(heads[bucket])
        heads[bucket] = nodes[node].queued
        if nodes[node].closed:
            continue
        nodes[node].closed = 1
        if is_won(wide, nodes, node):
            return nodes[node].cost, weight == 1, owned_nodes, count, node
        if count + ROOM > nodes.size:
            owned_nodes = more_room(owned_nodes, count, ROOM, limit)
            nodes = borrowed(owned_nodes)
        end = expand(wide, orders, nodes, node, count, numbers, places)
        if may_turn(wide, nodes, node):
            if known == orders.shape[0]:
                owned_orders = np.concatenate((owned_orders, np.empty_like(owned_orders)))
                orders = borrowed(owned_orders)
                places_of_orders = index_of(orders, known)
            known = turn(wide, orders, places_of_orders, known, nodes, node, end)
            end += 1
        for child in range(count, end):
            slot = slot_of(table, nodes, child, False)
            other = table[slot]
            if other >= 0 and (weight > 1 or nodes[other].cost <= nodes[child].cost):
                continue
            rest = estimate(wide, orders, nodes, child, weight)
            if rest >= DEAD:
                continue
            if other >= 0:
                nodes[other].closed = 1  # still queued; skipped when its bucket comes up
            total = nodes[child].cost + weight * rest
            if weight == 1:
                total = max(total, bucket)  # the parent's bound holds for the child too
            total = min(total, _BUCKETS - 1)
            nodes[count] = nodes[child]
            nodes[count].queued = heads[total]
            heads[total] = count
            table[slot] = count
            count += 1
            top = max(top, total)
            bucket = min(bucket, total)
            if 2 * count > table.size:
                owned_table = larger(owned_table, owned_nodes, False)
                table = borrowed(owned_table)


@inlined
def may_turn(wide, nodes, node):
    """Return True if the waste may be turned."""
    ahead = nodes[node].talon & ~below(nodes[node].cursor)
    return nodes[node].talon and not ahead and (wide.turns < 0 or nodes[node].turned < wide.turns)


@inlined
def turn(wide, orders, index, known, nodes, node, end):
    """Write the child that a recycle leads to and return how many talon orders are known then."""
    nodes[end] = nodes[node]
    nodes[end].parent = node
    nodes[end].cost += 1
    nodes[end].first = RECYCLE
    nodes[end].second = NOTHING
    nodes[end].turned += wide.turns >= 0
    nodes[end].cursor = lowest(nodes[node].talon)
    nodes[end].closed = 0
    if wide.later_piles.size == 1:
        return known  # a single pile is turned as it lies: the order stays
    piles = wide.later_piles if nodes[node].order else wide.first_piles
    size = 0
    for number in range(piles.size - 1, -1, -1):
        cards = nodes[node].talon & piles[number]
        while cards:
            orders[known, size] = orders[nodes[node].order, lowest(cards)]
            cards &= cards - 1
            size += 1
    orders[known, size:] = -1
    nodes[end].talon = below(size)
    nodes[end].cursor = 0
    place = _order_place(orders, index, known)
    if index[place] < 0:
        index[place] = known
    nodes[end].order = index[place]
    return max(known, nodes[end].order + 1)


@inlined
def _order_place(orders, index, order):
    """Return the place in the index of the orders of one that equals this one, or the free place for it."""
    mixed = 0
    for card in orders[order]:  # the constant of `kernels_search._mixed`
        mixed = (mixed ^ card) * -7046029254386353131
        mixed ^= mixed >> 31
    place = mixed & index.size - 1
    while index[place] >= 0 and not _equal(orders, index[place], order):
        place = place + 1 & index.size - 1
    return place


@inlined
def _equal(orders, one, other):
    differing = 0
    for place in range(orders.shape[1]):
        differing += orders[one, place] != orders[other, place]
    return differing == 0


@inlined
def index_of(orders, known):
    """Return a hash table of the orders after the first, four places for each there is room for."""
    index = np.full(4 * orders.shape[0], _NONE, np.int32)
    for order in range(np.int64(1), known):
        index[_order_place(orders, index, order)] = order
    return index


@inlined
def slot_of(table, nodes, node, at_any_time):
    """Return the place in the hash table of the state of a node, or of its cards at any time, or the free place."""
    mask = table.size - 1
    board, talon, order = nodes[node].board, nodes[node].talon, nodes[node].order
    parked, turned, cursor = nodes[node].parked, nodes[node].turned, nodes[node].cursor
    rest = parked << 16 ^ order << 40 ^ (0 if at_any_time else cursor ^ turned << 8)
    mixed = ((board * -7046029254386353131 ^ talon) * -4417276706812531889 ^ rest) * 1609587929392839161
    slot = (mixed ^ mixed >> 29) & mask
    while table[slot] >= 0:
        other = table[slot]
        if (
            nodes[other].board == board
            and nodes[other].talon == talon
            and nodes[other].order == order
            and nodes[other].parked == parked
            and (at_any_time or nodes[other].turned == turned and nodes[other].cursor == cursor)
        ):
            break
        slot = slot + 1 & mask
    return slot


@inlined
def larger(table, nodes, at_any_time):
    """Return a hash table twice as large."""
    larger = np.full(2 * table.size, _NONE, np.int32)
    for node in table:
        if node >= 0:
            larger[slot_of(larger, nodes, np.int64(node), at_any_time)] = node
    return larger
