"""Dead ends that a few ranks prove, for the games that `kernels_wide_walk` plays.

A part of a game has only some classes of ranks; every other card leaves by itself as soon as it is free. That is
kinder than the game: what is lost in a part is lost in the game. Where ranks form no classes a part has neighbouring
ranks, the outer of which may leave alone too, as if with a card of the next rank outside. A part has few states, each
is judged once, by a search in depth, and countless positions of the game share them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.solver.bits import below, highest
from games.solver.compiling import inlined, kernel
from games.solver.kernels_wide import AT_END, CELL_BITS, Wide, Words, is_won, leaves_alone, settle_cursor
from games.solver.kernels_wide_estimate import DEAD, estimate
from games.solver.kernels_wide_walk import walk

_NONE = -1
_ANY = np.int64(2)  # a weight
_NEVER = 1 << 14  # later than every time

STATE = np.dtype(
    [
        ("board", np.int64),
        ("talon", np.int64),
        ("parked", np.int32),
        ("part", np.int16),
        ("won", np.int16),  # the latest time at which it is known to be won
        ("lost", np.int16),  # the earliest time at which it is known to be lost
    ],
    align=True,
)


class Parts(NamedTuple):
    """The parts of one position, and what is known of their states."""

    talon: Words  # (parts,) bits of the talon places of the cards that count
    solo: NDArray[np.bool_]  # (parts, cards) leaves by itself
    unit: Words  # (parts, cards)
    partner: Words  # (parts, 14)
    low: Words  # (parts,)
    high: Words  # (parts,)
    states: NDArray[np.void]  # of STATE; there is room for as many as may be judged
    table: NDArray[np.int32]  # the hash table of the states, numbers from 1
    used: Words  # (1,) how many states are known
    stack: NDArray[np.void]  # of NODE
    numbers: Words
    places: Words


@kernel
def is_lost_in_part(wide, parts, orders, node):
    """Return True if some part of a node is lost; where there is no room to find out, it is not."""
    for part in range(parts.talon.size):
        smaller = _rules_of(wide, parts, part)
        parts.stack[0] = node[0]
        parts.stack[0].closed = 0
        _keep(smaller, parts.talon[part], parts.stack, np.int64(0))
        if _is_lost(smaller, parts, part, orders):
            return True
    return False


@inlined
def _rules_of(wide, parts, part):
    """Return the words of a part of the game."""
    return Wide(
        wide.board,
        wide.covers,
        wide.under,
        wide.related,
        wide.rank,
        parts.unit[part],
        wide.goal,
        parts.solo[part],
        parts.partner[part],
        wide.tableau,
        wide.first_piles,
        wide.later_piles,
        wide.draw,
        wide.turns,
        wide.open,
        wide.throws,
        wide.overlap,
        wide.whole,
        parts.low[part] if wide.low else 0,
        parts.high[part] if wide.high else 0,
        wide.cells,
    )


@inlined
def _is_lost(wide, parts, part, orders):
    """Return True if the state at the bottom of the stack is lost; of each state the plays are tried in turn."""
    stack = parts.stack
    room = stack.size // 2
    top = np.int64(0)
    while top >= 0:
        if stack[top].closed:
            state = _state_of(parts, part, top)
            parts.states[state].lost = min(parts.states[state].lost, _time(stack, top))
            top -= 1
            continue
        state = _state_of(parts, part, top)
        if top > room or state < 0:
            return False
        if is_won(wide, stack, top) or _time(stack, top) <= parts.states[state].won:
            _record_win(parts, part, top)
            return False
        if _time(stack, top) >= parts.states[state].lost:
            top -= 1
            continue
        stack[top].closed = 1
        top = _play(wide, parts, part, orders, top)
    return True


@inlined
def _play(wide, parts, part, orders, top):
    """Put what may follow the top of the stack on it, the first play on top, and return the new top."""
    stack = parts.stack
    end = walk(wide, orders, stack, top, top + 1, parts.numbers, parts.places)
    last = top
    for child in range(top + 1, end):
        _keep(wide, parts.talon[part], stack, child)
        if estimate(wide, orders, stack, child, _ANY) < DEAD:
            last += 1
            stack[last] = stack[child]
    for swapped in range((last - top) // 2):
        low, high = top + 1 + swapped, last - swapped
        stack[last + 1] = stack[low]
        stack[low] = stack[high]
        stack[high] = stack[last + 1]
    return last


@inlined
def _record_win(parts, part, top):
    """Record that the state on top of the stack is won, and so is each that it came from."""
    while top >= 0:
        state = _state_of(parts, part, top)
        parts.states[state].won = max(parts.states[state].won, _time(parts.stack, top))
        top = parts.stack[top].parent if top else _NONE


@inlined
def _keep(wide, talon, nodes, node):
    """Take every card out of play that leaves by itself and is free, or lies in the talon or in a cell."""
    board = nodes[node].board
    cards = board
    while cards:  # the covers of a card have higher numbers
        card = highest(cards)
        cards ^= 1 << card
        if leaves_alone(wide, card) and not wide.covers[card] & board:
            board ^= 1 << card
    nodes[node].board = board
    nodes[node].talon &= talon
    parked = nodes[node].parked
    kept = 0
    shift = 0
    while parked:
        if not leaves_alone(wide, (parked & below(CELL_BITS)) - 1):
            kept |= (parked & below(CELL_BITS)) << shift
            shift += CELL_BITS
        parked >>= CELL_BITS
    nodes[node].parked = kept
    settle_cursor(nodes, node)


@inlined
def _time(nodes, node):
    """Return how far the game has gone through its talon."""
    return nodes[node].turned * (AT_END + 1) + nodes[node].cursor


@inlined
def _state_of(parts, part, node):
    """Return the number of the state of a node, which is written down if it is new, or -1 if there is no room."""
    board, talon, parked = parts.stack[node].board, parts.stack[node].talon, parts.stack[node].parked
    mask = parts.table.size - 1
    rest = parked << 16 ^ part
    mixed = ((board * -7046029254386353131 ^ talon) * -4417276706812531889 ^ rest) * 1609587929392839161
    slot = (mixed ^ mixed >> 29) & mask
    while parts.table[slot]:
        state = parts.states[parts.table[slot] - 1]
        if state.board == board and state.talon == talon and state.parked == parked and state.part == part:
            return parts.table[slot] - 1
        slot = slot + 1 & mask
    new = parts.used[0]
    if new == parts.states.size:
        return _NONE
    parts.used[0] += 1
    parts.table[slot] = new + 1
    state = parts.states[new]
    state.board, state.talon, state.parked, state.part = board, talon, parked, part
    state.won, state.lost = _NONE, _NEVER
    return new
