"""The plays that may follow a node, with the draws before them, for games with an open stock and one waste pile.

Where any win will do, of two nodes with the same cards the earlier one is never worse: its player could draw on and be
there. So what needs no other stock card is played at once, and each stock card is offered where a walk through the
talon first comes to it, in this pass or, if it has been passed, in the next one.
"""

import numpy as np

from games.solver.bits import below, highest, lowest
from games.solver.compiling import inlined
from games.solver.kernels_wide import (
    NOTHING,
    NOWHERE,
    PARK,
    child_of,
    covered_pairs,
    exposed_cards,
    leaves_alone,
    park,
    popcount_cells,
    remove,
    settle_cursor,
    uncovers,
)


@inlined
def is_earlier(wide, nodes, node, other):
    """Return True if a node comes before another one with the same cards."""
    if wide.turns < 0:
        return False  # without a limit of passes every time comes after every other
    if nodes[node].turned != nodes[other].turned:
        return nodes[node].turned < nodes[other].turned
    return nodes[node].cursor < nodes[other].cursor


@inlined
def walk(wide, orders, nodes, node, end, numbers, places):
    """Write the plays that may follow a node behind the others and return where they end."""
    found, solo = exposed_cards(wide, orders, nodes, node, numbers, places)
    if solo >= 0:
        child_of(nodes, node, end, solo, NOTHING)
        remove(wide, nodes, end, solo, NOWHERE)
        return end + 1
    cells = wide.cells - popcount_cells(nodes[node].parked)
    has_cell = cells > 0
    fixed = np.int64(0)  # how many cards are free wherever the walk stops
    for i in range(found):
        if places[i] < 0:
            number = numbers[i]
            in_tableau = number < wide.board and wide.tableau & nodes[node].board & 1 << number != 0
            # Nothing is gained by parking a card before one under it is needed, and the last cell frees that one, or
            # leaves it under the card that it may leave with.
            pays = cells > 1 or wide.overlap or uncovers(wide, nodes[node].board, number)
            may_park = has_cell and in_tableau and pays
            end = _plays(wide, nodes, node, end, number, NOWHERE, numbers, fixed, may_park)
            numbers[fixed] = number
            fixed += 1
    if wide.overlap:
        end = covered_pairs(wide, nodes, node, end)
    waste = nodes[node].talon & below(nodes[node].cursor)
    if waste:
        place = highest(waste)
        end = _plays(wide, nodes, node, end, np.int64(orders[0, place]), place, numbers, fixed, has_cell)
    return _walked(wide, orders, nodes, node, end, numbers, fixed, has_cell)


@inlined
def _walked(wide, orders, nodes, node, end, numbers, fixed, has_cell):
    """Write the plays of the stock cards, each where the walk comes to it."""
    talon = nodes[node].talon
    ahead = talon & ~below(nodes[node].cursor)
    draws = 0
    for turned in range(2):
        if turned:
            if wide.turns >= 0 and nodes[node].turned >= wide.turns:
                return end
            draws += 1
        cards = talon ^ ahead if turned else ahead
        while cards:
            place = lowest(cards)
            cards &= cards - 1
            number = np.int64(orders[0, place])
            first = end
            end = _plays(wide, nodes, node, end, number, place, numbers, fixed, has_cell)
            under = talon & below(place)
            if under and wide.partner[wide.rank[number]] >> wide.rank[orders[0, highest(under)]] & 1:
                child_of(nodes, node, end, number, np.int64(orders[0, highest(under)]))
                nodes[end].talon ^= 1 << place | 1 << highest(under)
                end += 1
            for child in range(first, end):
                nodes[child].cost += draws + (nodes[child].second == PARK)  # only a card that was drawn is parked
                nodes[child].turned += turned and wide.turns >= 0
                nodes[child].cursor = place
                settle_cursor(nodes, child)
            if leaves_alone(wide, number):
                return end  # nothing is gained by covering a card with one that leaves alone
            draws += 1
    return end


@inlined
def _plays(wide, nodes, node, end, number, place, others, size, may_park):
    """Write the plays of a card, alone or with one of the others, and return where they end."""
    if wide.solo[number]:
        child_of(nodes, node, end, number, NOTHING)
        remove(wide, nodes, end, number, place)
        end += 1
    for i in range(size):
        if wide.partner[wide.rank[number]] >> wide.rank[others[i]] & 1:
            child_of(nodes, node, end, number, others[i])
            remove(wide, nodes, end, number, place)
            remove(wide, nodes, end, others[i], NOWHERE)
            end += 1
    if may_park:
        child_of(nodes, node, end, number, PARK)
        remove(wide, nodes, end, number, place)
        park(nodes, end, number)
        end += 1
    return end
