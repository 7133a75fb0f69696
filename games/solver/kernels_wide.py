"""The search for all other games: cells, several peaks, several waste piles that turn. Every action is an edge."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.solver.bits import below, highest, lowest
from games.solver.compiling import inlined

Words = NDArray[np.int64]

# Of the type that computed numbers have: numba would compile what is given a plain constant a second time.
DRAW, RECYCLE, PARK, NOTHING = map(np.int64, (-1, -2, -3, -4))
NOWHERE = np.int64(-1)
AT_END = 63  # behind every card: a talon has fewer places
CELL_BITS = 7

NODE = np.dtype(
    [
        ("board", np.int64),  # bits of the tableau and reserve cards in play
        ("talon", np.int64),  # bits of the places of the talon cards in play, in the present order
        ("order", np.int32),
        ("parked", np.int32),  # number + 1 of each parked card, seven bits each, ascending
        ("parent", np.int32),
        ("queued", np.int32),
        ("ranked", np.int32),
        ("cost", np.int16),
        ("first", np.int16),  # the action that led here: a card's number, DRAW or RECYCLE
        ("second", np.int16),  # the other card's number, PARK or NOTHING
        ("cursor", np.int8),
        ("turned", np.int8),
        ("closed", np.int8),
    ],
    align=True,
)


class Wide(NamedTuple):
    """The cards of a position by number - board cards, then talon cards, then cards parked at the start."""

    board: int  # how many board cards
    covers: Words  # (board,) the board cards right on each
    under: Words  # (board,) the board cards that it lies right on
    related: Words  # (board,) the board cards that can never be free together with it
    rank: Words  # (cards,)
    unit: Words  # (cards,) packed count
    goal: NDArray[np.bool_]  # (cards,) has to leave
    solo: NDArray[np.bool_]  # (cards,) leaves alone
    partner: Words  # (14,) bits of the ranks that may leave with a rank
    tableau: int  # bits of the board cards that are not in the reserve
    first_piles: Words  # (wastes,) places of each waste pile before the waste is turned
    later_piles: Words
    draw: int
    turns: int
    open: bool
    throws: bool
    overlap: bool
    whole: bool
    low: int  # the lowest rank, if all cards have to leave in pairs of equal or neighbouring ranks, else 0
    high: int  # the highest one, or 0
    cells: int


@inlined
def is_won(wide, nodes, node):
    """Return True if every card of the goal has left play."""
    parked = nodes[node].parked
    while parked:
        if wide.goal[(parked & below(CELL_BITS)) - 1]:
            return False
        parked >>= CELL_BITS
    if wide.whole:
        return not nodes[node].board and not nodes[node].talon
    return not nodes[node].board & wide.tableau


@inlined
def leaves_alone(wide, card):
    """Return True if a card leaves alone and with no other one."""
    return wide.solo[card] and not wide.partner[wide.rank[card]]


@inlined
def exposed_cards(wide, orders, nodes, node, numbers, places):
    """Write the numbers of the exposed cards, and their talon places or -1; return (their count, a free solo or -1)."""
    found = 0
    solo = -1
    cards = nodes[node].board
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if not wide.covers[card] & nodes[node].board:
            if leaves_alone(wide, card) and wide.goal[card]:
                solo = card
            numbers[found] = card
            places[found] = -1
            found += 1
    waste = nodes[node].talon & below(nodes[node].cursor)
    ahead = nodes[node].talon ^ waste
    piles = wide.later_piles if nodes[node].order else wide.first_piles
    for pile in piles:
        if waste & pile:
            places[found] = highest(waste & pile)
            numbers[found] = orders[nodes[node].order, places[found]]
            found += 1
    if wide.open and ahead:
        places[found] = lowest(ahead)
        numbers[found] = orders[nodes[node].order, places[found]]
        found += 1
    parked = nodes[node].parked
    while parked:
        numbers[found] = (parked & below(CELL_BITS)) - 1
        places[found] = -1
        parked >>= CELL_BITS
        found += 1
    return found, solo


@inlined
def child_of(nodes, node, child, first, second):
    """Write a node's child, which an action leads to; its cards are still those of the node."""
    nodes[child] = nodes[node]
    nodes[child].parent = node
    nodes[child].cost += 1
    nodes[child].first = first
    nodes[child].second = second
    nodes[child].closed = 0


@inlined
def remove(wide, nodes, child, number, place):
    """Take a card out of play; place is -1 if it is not in the talon."""
    if place >= 0:
        nodes[child].talon ^= 1 << place
    elif number < wide.board and nodes[child].board >> number & 1:
        nodes[child].board ^= 1 << number
    else:
        parked = nodes[child].parked
        kept = 0
        shift = 0
        while parked:
            if (parked & below(CELL_BITS)) - 1 != number:
                kept |= (parked & below(CELL_BITS)) << shift
                shift += CELL_BITS
            parked >>= CELL_BITS
        nodes[child].parked = kept
    settle_cursor(nodes, child)


@inlined
def settle_cursor(nodes, child):
    """Move the cursor to the next card that is in play."""
    ahead = nodes[child].talon & ~below(nodes[child].cursor)
    nodes[child].cursor = lowest(ahead) if ahead else AT_END


@inlined
def park(nodes, child, number):
    """Insert a parked card in ascending order."""
    parked = nodes[child].parked
    low = 0
    shift = 0
    while parked and (parked & below(CELL_BITS)) - 1 < number:
        low |= (parked & below(CELL_BITS)) << shift
        shift += CELL_BITS
        parked >>= CELL_BITS
    nodes[child].parked = low | number + 1 << shift | parked << shift + CELL_BITS


@inlined
def expand(wide, orders, nodes, node, end, numbers, places):
    """Write the children of a node, but for recycles, behind the others and return where they end."""
    found, solo = exposed_cards(wide, orders, nodes, node, numbers, places)
    if solo >= 0:
        # It has to leave at some time, and leaving now it is in no other card's way: no other child is needed.
        child_of(nodes, node, end, solo, NOTHING)
        remove(wide, nodes, end, solo, NOWHERE)
        return end + 1
    for i in range(found):
        if wide.solo[numbers[i]]:
            child_of(nodes, node, end, numbers[i], NOTHING)
            remove(wide, nodes, end, numbers[i], places[i])
            end += 1
        for j in range(i + 1, found):
            if wide.partner[wide.rank[numbers[i]]] >> wide.rank[numbers[j]] & 1:
                child_of(nodes, node, end, numbers[i], numbers[j])
                remove(wide, nodes, end, numbers[i], places[i])
                remove(wide, nodes, end, numbers[j], places[j])
                end += 1
    if wide.overlap:
        end = covered_pairs(wide, nodes, node, end)
    if popcount_cells(nodes[node].parked) < wide.cells:
        for i in range(found):
            is_waste = places[i] >= 0 and places[i] < nodes[node].cursor
            if is_waste or places[i] < 0 and numbers[i] < wide.board and wide.tableau >> numbers[i] & 1:
                child_of(nodes, node, end, numbers[i], PARK)
                remove(wide, nodes, end, numbers[i], places[i])
                park(nodes, end, numbers[i])
                end += 1
    ahead = nodes[node].talon & ~below(nodes[node].cursor)
    if ahead:
        child_of(nodes, node, end, DRAW, NOTHING)
        for _ in range(wide.draw):
            if wide.throws:
                nodes[end].talon &= ~(ahead & -ahead)
            ahead &= ahead - 1
        nodes[end].cursor = lowest(ahead) if ahead else AT_END
        end += 1
    return end


@inlined
def covered_pairs(wide, nodes, node, end):
    """Write the removals of a card with the one that covers it, and return where they end."""
    board = nodes[node].board
    cards = board & wide.tableau
    while cards:
        under = lowest(cards)
        cards &= cards - 1
        over = wide.covers[under] & board
        is_half_covered = over and not over & (over - 1) and not wide.covers[lowest(over)] & board
        if is_half_covered and wide.partner[wide.rank[under]] >> wide.rank[lowest(over)] & 1:
            child_of(nodes, node, end, under, lowest(over))
            nodes[end].board ^= over | 1 << under
            end += 1
    return end


@inlined
def uncovers(wide, board, card):
    """Return True if a free card alone covers another one."""
    under = wide.under[card] & board
    while under:
        if wide.covers[lowest(under)] & board == 1 << card:
            return True
        under &= under - 1
    return False


@inlined
def popcount_cells(parked):
    """Return how many cards are parked."""
    cards = 0
    while parked:
        cards += 1
        parked >>= CELL_BITS
    return cards
