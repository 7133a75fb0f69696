"""A lower bound of the actions still needed, for `kernels_wide`."""

from games.solver.bits import below, lowest, popcount
from games.solver.compiling import inlined
from games.solver.counts import covers_all, larger, less, partners, smaller, total
from games.solver.kernels_wide import CELL_BITS

DEAD = 1 << 14


@inlined
def estimate(wide, orders, nodes, node, weight):
    """Return a lower bound of the actions still needed, DEAD if the cards in play cannot all find partners.

    With a weight above 1, when any line will do, draws to the partners are left out: they do not make a line bad.
    """
    board = nodes[node].board
    goal = 0
    play = 0
    solos = 0
    others = 0
    ranks = 0
    tally = 0
    cards = board
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        play += wide.unit[card]
        tally += 1 << 4 * wide.rank[card]
        if wide.goal[card]:
            goal += wide.unit[card]
            solos += wide.solo[card]
            others += not wide.solo[card] and not wide.unit[card]
    cards = nodes[node].talon
    while cards:
        card = orders[nodes[node].order, lowest(cards)]
        cards &= cards - 1
        play += wide.unit[card]
        tally += 1 << 4 * wide.rank[card]
        ranks |= 1 << wide.rank[card]
        if wide.whole:
            goal += wide.unit[card]
            solos += wide.solo[card]
            others += not wide.solo[card] and not wide.unit[card]
    parked = nodes[node].parked
    while parked:
        card = (parked & below(CELL_BITS)) - 1
        parked >>= CELL_BITS
        play += wide.unit[card]
        tally += 1 << 4 * wide.rank[card]
        ranks |= 1 << wide.rank[card]
        if wide.goal[card]:
            goal += wide.unit[card]
            solos += wide.solo[card]
            others += not wide.solo[card] and not wide.unit[card]
    # With cells, a card that is in the way of its partner may be parked.
    if not covers_all(play, partners(goal)) or not wide.cells and _is_locked(wide, board, ranks):
        return DEAD
    if wide.low and _is_odd(wide, tally):
        return DEAD
    draws = 0
    if wide.whole and not wide.open and not wide.throws:
        stock = popcount(nodes[node].talon & ~below(nodes[node].cursor))
        draws = (stock + wide.draw - 1) // wide.draw
    if weight == 1 and not wide.whole and wide.open and wide.draw == 1 and not wide.throws:
        draws, goal = _meet(wide, orders, nodes, node, goal, play)
    return solos + (others + 1) // 2 + total(larger(goal)) + draws


@inlined
def _meet(wide, orders, nodes, node, goal, play):
    """Return how many stock cards have to be drawn or removed until partners suffice, and what is then left to pair.

    Enough are met once the cards that still lack one may leave among themselves.
    """
    ahead = nodes[node].talon & ~below(nodes[node].cursor)
    supply = play - goal
    cards = ahead
    while cards:
        supply -= wide.unit[orders[nodes[node].order, lowest(cards)]]
        cards &= cards - 1
    left = partners(goal)
    least = smaller(left)
    lack = less(left, supply)
    draws = 0
    while ahead and not covers_all(least, larger(lack)):
        unit = wide.unit[orders[nodes[node].order, lowest(ahead)]]
        ahead &= ahead - 1
        lack = less(lack, unit)
        left = less(left, unit)
        draws += 1
    return draws, left


@inlined
def _is_locked(wide, board, ranks):
    """Return True if some card that has to leave has no partner that could be free at the same time."""
    cards = board
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if not wide.goal[card] or wide.solo[card] or ranks & wide.partner[wide.rank[card]]:
            continue
        mates = board & ~wide.related[card] & ~(1 << card)
        while mates and not wide.partner[wide.rank[card]] >> wide.rank[lowest(mates)] & 1:
            mates &= mates - 1
        if not mates:
            return True
    return False


@inlined
def _is_odd(wide, tally):
    """Return True if not all cards can leave in pairs of equal or neighbouring ranks, whatever lies where.

    In a part the cards of its lowest and of its highest rank may leave alone too.
    """
    left = 1  # the first bit: no card of the ranks so far may be left for the next rank; the second: one may
    for rank in range(wide.low, wide.high + 1):
        cards = tally >> 4 * rank & 15
        if not cards:
            left &= 1
        elif cards & 1:
            left = left >> 1 | left << 1 & 2
        if cards and left and (rank == wide.low > 1 or rank == wide.high < 13):
            left = 3
    return not left & 1
