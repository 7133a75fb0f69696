"""The search for games with few tableau shapes: a node is a shape and the talon cards still in play.

Draws and recycles are not nodes but the length of an edge: from a node the talon is walked through, and wherever it
stops the cards on top may be played. A play takes a talon card together with a tableau card, after the tableau pairs
without which that card is not free; all other tableau pairs are put off. A node is entered at a time, which is a pass
and a place in the talon; an entry dominates another one if its player could just draw on and be there as cheaply.
"""

import numpy as np

from games.solver.bits import popcount, prefetch
from games.solver.borrowing import borrowed
from games.solver.compiling import inlined, kernel
from games.solver.kernels_estimate import estimate
from games.solver.kernels_expand import NODE, expand, offer
from games.solver.kernels_options import NOT_MADE, OPTION, RANKS, make_options
from games.solver.kernels_room import more_room
from games.solver.kernels_talon import UNREACHABLE, distance

ROOM = 8192
BUCKETS = 8192
TAG = 32  # bits of the key over the node in an entry of the hash table
NODES = (1 << TAG) - 1
_NONE = -1


@kernel
def search(tableau, talon, start, live, cursor, limit, weight):
    """Return (least cost or -1, whether that is proved, the nodes, their count, the last node of the best line).

    Weight 1 finds the least cost. A larger weight stops at the first solution and counts only whether the goal can be
    reached, not how soon.
    """
    heads, first, clear, made, options, nodes = arrays_for(start)
    used = np.int64(0)
    return search_in(
        tableau, talon, start, live, cursor, heads, first, clear, made, options, used, nodes, limit, weight
    )[:5]


@inlined
def arrays_for(start):
    """Return the arrays of searches of one tableau: those of the options keep what is made of its shapes."""
    heads = np.empty(BUCKETS, np.int32)
    first = np.empty((start + 1, RANKS), np.int32)
    clear = np.empty(start + 1, np.int16)
    made = np.full(start + 1, NOT_MADE, np.int32)
    return heads, first, clear, made, np.empty(1024, OPTION), np.empty(ROOM, NODE)


@kernel
def leaves_a_way(tableau, talon, starts, lives, cursor):
    """Return whether the estimate leaves a way to the win, for each shape with the talon cards left beside it."""
    tableau, talon = borrowed(tableau), borrowed(talon)
    leaves = np.empty(starts.size, np.bool_)
    for start in range(starts.size):
        shape = np.int64(tableau.settled[starts[start]])
        leaves[start] = estimate(tableau, talon, shape, lives[start], cursor, np.int64(0)) < UNREACHABLE
    return leaves


@kernel
def search_in(
    tableau, talon, start, live, cursor, heads, first, clear, made, owned_options, used, owned_nodes, limit, weight
):
    """Search in arrays that the caller keeps, and return the perhaps larger ones of the options too, and their use."""
    tableau, talon = borrowed(tableau), borrowed(talon)
    heads, first, clear, made, nodes = borrowed((heads, first, clear, made, owned_nodes))
    owned_table = np.full(4096, _NONE, np.int64)
    table = borrowed(owned_table)
    options = borrowed(owned_options)
    heads[:] = _NONE
    shape = np.int64(tableau.settled[start])
    kings = popcount(tableau.present[start] ^ tableau.present[shape])
    offer(nodes, np.int64(0), _NONE, live, shape, kings, 0, cursor)
    count, end, distinct = np.int64(0), np.int64(1), np.int64(0)
    bucket, top = np.int64(0), np.int64(-1)
    best, best_node = np.int64(UNREACHABLE), np.int64(_NONE)
    while True:
        # Every child may be a new entry, and a table that is more than half full takes long to probe.
        while 2 * (distinct + end - count) > table.size:
            owned_table = _larger(owned_table)
            table = borrowed(owned_table)
        count, distinct, top, bucket = _insert_children(
            tableau, talon, nodes, table, heads, count, end, distinct, top, bucket, best, weight
        )
        end = count
        while bucket <= top and heads[bucket] < 0:
            bucket += 1
        if bucket > top or bucket >= best or count > limit or weight > 1 and best_node >= 0:
            is_proved = count <= limit or bucket > top or bucket >= best
            cost = best if best_node >= 0 else np.int64(_NONE)
            return cost, is_proved, owned_nodes, count, best_node, owned_options, used
        node = np.int64(heads[bucket])
        heads[bucket] = nodes[node].queued
        if nodes[node].stale:
            continue
        shape = np.int64(nodes[node].shape)
        if made[shape] == NOT_MADE:
            made[shape] = -used
            owned_options, used = make_options(tableau, shape, first, clear, owned_options, used)
            options = borrowed(owned_options)
            made[shape] += used
        # What is left of the tableau leaves by its own pairs, without another talon card.
        if clear[shape] >= 0 and not (talon.whole and nodes[node].talon) and nodes[node].cost + clear[shape] < best:
            best = np.int64(nodes[node].cost + clear[shape])
            best_node = node
        room = 2 * (64 + talon.pile.size) * (made[shape] + talon.pile.size + 2)  # two passes, every option at each stop
        if count + room > nodes.size:
            owned_nodes = more_room(owned_nodes, count, room, limit)
            nodes = borrowed(owned_nodes)
        end, later = expand(tableau, talon, first, options, nodes, node, count, bucket, weight)
        if 0 <= later < best:
            top = max(top, _queue(nodes, heads, node, later))


@inlined
def _insert_children(tableau, talon, nodes, table, heads, count, end, distinct, top, bucket, best, weight):
    """Keep the nodes from count to end that are worth it; return (count, distinct nodes, highest, lowest bucket)."""
    # The places in the hash table are far apart in memory: ask for all of them first, then use them.
    for child in range(count, end):
        prefetch(table, _mixed(nodes[child].talon, np.int64(nodes[child].shape)) >> TAG & table.size - 1)
    for child in range(count, end):
        live = nodes[child].talon
        shape = np.int64(nodes[child].shape)
        slot = _slot(table, nodes, live, shape)
        latest = _node(table[slot])
        if _is_dominated(talon, nodes, latest, child, weight):
            continue
        rest = estimate(tableau, talon, shape, live, np.int64(nodes[child].cursor), np.int64(nodes[child].turned))
        if nodes[child].cost + rest >= best:
            continue
        _dominate(talon, nodes, latest, child, weight)
        total = nodes[child].cost + weight * rest
        if weight == 1:
            total = max(total, bucket)  # the parent's bound holds for the child too, though the estimate is lower
        distinct += latest < 0
        nodes[count] = nodes[child]
        nodes[count].stale = 0
        nodes[count].sibling = latest
        table[slot] = _mixed(live, shape) & ~NODES | count
        total = _queue(nodes, heads, count, total)
        count += 1
        top = max(top, total)
        bucket = min(bucket, total)
    return count, distinct, top, bucket


@inlined
def _queue(nodes, heads, node, total):
    """Put a node into a bucket and return which."""
    # Last in, first out: among equal totals the search goes deep and completes a line sooner.
    total = min(total, BUCKETS - 1)
    nodes[node].queued = heads[total]
    heads[total] = node
    return total


@inlined
def _is_dominated(talon, nodes, other, child, weight):
    while other >= 0:
        if not nodes[other].stale and _dominates(talon, nodes, other, child, weight):
            return True
        other = np.int64(nodes[other].sibling)
    return False


@inlined
def _dominate(talon, nodes, other, child, weight):
    """Mark the entries that a new one dominates."""
    while other >= 0:
        # Nodes stay where they are, queued and perhaps a parent; a stale one is skipped when its bucket comes up.
        if not nodes[other].stale and _dominates(talon, nodes, child, other, weight):
            nodes[other].stale = 1
        other = np.int64(nodes[other].sibling)


@inlined
def _dominates(talon, nodes, one, other, weight):
    away = distance(
        talon, nodes[one].talon, nodes[one].cursor, nodes[one].turned, nodes[other].cursor, nodes[other].turned
    )
    return away < UNREACHABLE and (weight > 1 or nodes[one].cost + away <= nodes[other].cost)


@inlined
def _mixed(live, shape):
    # Fibonacci hashing: 2^64 divided by the golden ratio, as a signed word, spreads neighbours far apart.
    return (live ^ (shape << 29)) * -7046029254386353131


@inlined
def _node(entry):
    """Return the node of an entry of the hash table, -1 for a free place."""
    return entry & NODES if entry != _NONE else np.int64(_NONE)


@inlined
def _slot(table, nodes, live, shape):
    """Return the place in the hash table of the nodes with these cards, or the free place for them.

    An entry holds half of the mixed key over the node, so that few nodes with other cards are looked at.
    """
    mask = table.size - 1
    mixed = _mixed(live, shape)
    slot = mixed >> TAG & mask
    while table[slot] != _NONE:
        if (table[slot] ^ mixed) >> TAG == 0:
            node = table[slot] & NODES
            if nodes[node].talon == live and nodes[node].shape == shape:
                break
        slot = slot + 1 & mask
    return slot


@kernel
def _larger(table):
    """Return a hash table twice as large."""
    larger = np.full(2 * table.size, _NONE, np.int64)
    mask = larger.size - 1
    for entry in table:
        if entry != _NONE:
            slot = entry >> TAG & mask  # its half of the key is enough, so that no node is read
            while larger[slot] != _NONE:
                slot = slot + 1 & mask
            larger[slot] = entry
    return larger
