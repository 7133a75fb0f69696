"""Write the children of a node, the next plays, by walking through the talon."""

import numpy as np

from games.solver.bits import below, highest, lowest, popcount
from games.solver.compiling import inlined
from games.solver.kernels_estimate import estimate
from games.solver.kernels_talon import UNREACHABLE, tops

NODE = np.dtype(
    [
        ("talon", np.int64),  # bits of the talon cards in play
        ("shape", np.uint32),
        ("parent", np.int32),
        ("sibling", np.int32),  # another node with the same cards, entered at another time; -1 ends
        ("queued", np.int32),  # next node of the same bucket; -1 ends
        ("cost", np.int16),
        ("turned", np.int8),  # recycles made
        ("cursor", np.int8),  # talon places before it lie on piles
        ("stale", np.int8),  # dominated since
        ("stop", np.int8),  # place after a turn where the walk ends, -1 for a walk that has not begun
        ("walked", np.int8),  # place in the talon where the walk broke off
        ("again", np.int8),  # 1 if it had turned the waste by then
    ],
    align=True,
)
AT_END = 63  # behind every card: a talon has fewer places


@inlined
def offer(nodes, end, parent, live, shape, cost, turned, cursor):
    """Write a node behind the others and return the new end."""
    nodes[end].talon = live
    nodes[end].shape = shape
    nodes[end].parent = parent
    nodes[end].cost = cost
    nodes[end].turned = turned
    nodes[end].cursor = cursor
    nodes[end].stop = -1
    return end + 1


@inlined
def expand(tableau, talon, first, options, nodes, node, end, bucket, weight):
    """Write the children of a node behind the nodes there are and return (where they end, the total of the rest or -1).

    With draw 1 a card that may be played in this pass need not be kept for the next one: played now and drawn on, the
    same position is reached sooner. Only the cards that lie under the top of the waste are worth a turn. The walk
    breaks off where no play can be worth this bucket, and goes on from there when the node is expanded again.
    """
    live = nodes[node].talon
    turned = np.int64(nodes[node].turned)
    cost = np.int64(nodes[node].cost)
    shape = np.int64(nodes[node].shape)
    waste = live & below(nodes[node].cursor)
    ahead = live ^ waste
    stop = np.int64(nodes[node].stop)
    is_start = stop < 0
    if is_start:
        stop = highest(waste) if waste and talon.draw == 1 else AT_END
    is_turned = not is_start and nodes[node].again != 0
    if not is_start:
        live, waste, cost, turned = _walked(talon, nodes, node)
        ahead = live ^ waste
    fresh = tops(talon, waste) if is_start or not talon.open else 0
    is_first = True
    while True:
        top = ahead & -ahead if talon.open else 0
        cursor = lowest(ahead) if ahead else AT_END
        playable = fresh | top
        others = tops(talon, waste) | top
        # The estimate is costly, so it is made only where a child may follow. In a single pass, and where several are
        # drawn at once, breaking off saves less than it costs.
        if not is_first and talon.draw == 1 and talon.turns and _may_play(talon, first, shape, playable, others):
            rest = estimate(tableau, talon, shape, live, cursor, turned)
            if rest >= UNREACHABLE:
                return end, -1
            if cost + weight * rest > bucket:
                nodes[node].stop = stop
                nodes[node].walked = cursor
                nodes[node].again = is_turned
                return end, cost + weight * rest
        end = _play(talon, first, options, nodes, node, end, playable, others, shape, live, cost, turned, cursor)
        is_first = False
        if not ahead:
            if not live and nodes[node].talon:
                return offer(nodes, end, node, np.int64(0), shape, cost, turned, cursor), -1
            if is_turned or not waste or 0 <= talon.turns <= turned:
                return end, -1
            is_turned = True
            turned += 1
            ahead = waste
            waste = 0
            fresh = 0
        elif is_turned and lowest(ahead) >= stop:
            return end, -1
        elif talon.throws or talon.open and talon.kings & ahead & -ahead:
            # A card drawn over leaves play. A king is removed instead, which costs the same and is never worse.
            live ^= ahead & -ahead
            ahead &= ahead - 1
            fresh = 0
        else:
            before = tops(talon, waste)
            for _ in range(talon.draw):
                waste |= ahead & -ahead
                ahead &= ahead - 1
            fresh = 0 if talon.open else tops(talon, waste) & ~before
        cost += 1


@inlined
def _walked(talon, nodes, node):
    """Return (cards in play, those on piles, cost, recycles) where the walk broke off."""
    live = nodes[node].talon
    behind = below(np.int64(nodes[node].walked))
    again = np.int64(nodes[node].again)
    ahead = live & ~below(nodes[node].cursor)
    passed = ahead | live & behind if again else ahead & behind
    if talon.throws:
        live ^= passed
    elif talon.open:
        live ^= passed & talon.kings
    return live, live & behind, nodes[node].cost + popcount(passed) + again, nodes[node].turned + again


@inlined
def _may_play(talon, first, shape, playable, others):
    """Return True if some playable card may have a play: a necessary condition, cheaper than trying each."""
    while playable:
        card = lowest(playable)
        if others & (talon.mates[talon.rank[card]] | talon.kings & 1 << card):
            return True
        ranks = talon.partner[talon.rank[card]]
        while ranks:
            if first[shape, lowest(ranks)] >= 0:
                return True
            ranks &= ranks - 1
        playable &= playable - 1
    return False


@inlined
def _play(talon, first, options, nodes, node, end, fresh, others, shape, live, cost, turned, cursor):
    """Offer each play of a fresh card: with a tableau card, alone, or with another exposed card."""
    while fresh:
        card = lowest(fresh)
        bit = 1 << card
        fresh ^= bit
        others &= ~bit
        if talon.kings & bit:
            if card < cursor:
                end = offer(nodes, end, node, live ^ bit, shape, cost + 1, turned, cursor)
            continue
        ranks = talon.partner[talon.rank[card]]
        while ranks:
            option = np.int64(first[shape, lowest(ranks)])
            ranks &= ranks - 1
            while option >= 0:
                end = offer(
                    nodes,
                    end,
                    node,
                    live ^ bit,
                    np.int64(options[option].target),
                    cost + options[option].cost,
                    turned,
                    cursor,
                )
                option = np.int64(options[option].next)
        mates = others & talon.mates[talon.rank[card]]
        while mates:
            end = offer(nodes, end, node, live ^ (bit | mates & -mates), shape, cost + 1, turned, cursor)
            mates &= mates - 1
    return end
