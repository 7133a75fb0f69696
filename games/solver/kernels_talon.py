"""The cards outside the tableau: in which order they come up, and how long that takes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.solver.bits import below, highest, lowest, popcount
from games.solver.compiling import inlined
from games.solver.counts import ANY, covers_all, partners

UNREACHABLE = 1 << 14

Words = NDArray[np.int64]


class Talon(NamedTuple):
    """All cards outside the tableau in one row: reserve piles, then the waste, then the stock.

    The cards before the cursor lie on piles, the others are the stock. One waste pile is the only pile if it may be
    turned.
    """

    rank: Words  # (cards,)
    unit: Words  # (cards,) packed count of each card
    counts: Words  # (chunks, 256) packed counts of every set of eight neighbours
    pile: Words  # (piles,) bits of the cards that lie on a pile or will be laid on it
    mates: Words  # (14,) bits of the talon cards that may leave with a card of this rank
    tableau_mates: Words  # (14,) bits of the tableau cards that may
    partner: Words  # (14,) bits of the ranks that may
    kings: int  # bits of the cards that leave alone
    draw: int
    turns: int  # recycles that are left, -1 for no limit
    open: bool  # the next card of the stock may be played
    throws: bool  # a card drawn over leaves play
    whole: bool  # the talon has to be cleared too


@inlined
def count(talon, cards):
    """Return the packed counts of a set of talon cards."""
    counts = 0
    chunk = 0
    while cards:
        counts += talon.counts[chunk, cards & 255]
        cards >>= 8
        chunk += 1
    return counts


@inlined
def tops(talon, waste):
    """Return the cards on top of the piles."""
    found = 0
    for pile in talon.pile:
        if waste & pile:
            found |= 1 << highest(waste & pile)
    return found


@inlined
def draws_for(talon, cards):
    """Return the number of draws for a number of cards."""
    if talon.draw == 1:
        return cards
    return (cards + talon.draw - 1) // talon.draw


@inlined
def distance(talon, live, here, turned, there, turned_there):
    """Return the draws and recycles from one time to another while no card leaves."""
    at = popcount(live & below(here))
    to = popcount(live & below(there))
    if (turned == turned_there or talon.turns < 0) and at <= to:
        return _draws_between(talon, at, to, popcount(live))
    turns = 1 if talon.turns < 0 else turned_there - turned
    if turns <= 0:
        return UNREACHABLE
    size = popcount(live)
    return (
        draws_for(talon, size - at) + turns + (turns - 1) * draws_for(talon, size) + _draws_between(talon, 0, to, size)
    )


@inlined
def _draws_between(talon, at, to, size):
    if talon.draw > 1 and to != size and (to - at) % talon.draw:
        return UNREACHABLE
    return draws_for(talon, to - at)


@inlined
def dig(tableau, talon, shape, live, waste, ahead_counts):
    """Return the counts of the pile cards that plays can reach before the waste is turned, and all other pile cards.

    A pile card leaves with a talon card, or with a tableau card that has partners enough for all the cards above it
    without the cards that lie under the pile card.
    """
    buried = 0
    dug = 0
    reached = tableau.counts[shape] + ahead_counts
    waiting = partners(tableau.counts[shape])
    meeting = partners(ahead_counts) if talon.open else 0
    supply = waiting + meeting
    for pile in talon.pile:
        rest = waste & pile
        while rest:
            card = highest(rest)
            unit = talon.unit[card]
            if talon.pile.size > 1:
                outside = live if talon.open else live & ~pile
                meeting = -1 if outside & ~rest & talon.mates[talon.rank[card]] else 0
                supply = -1
                reached = tableau.counts[shape] + count(talon, live & ~rest)
            if unit:
                if not supply & ANY * unit:
                    break
                if not meeting & ANY * unit and not _can_be_free(tableau, talon, shape, card, reached):
                    break
                supply -= unit
                dug += unit
                reached += unit
            rest ^= 1 << card
        buried |= rest
    return dug, buried


@inlined
def _can_be_free(tableau, talon, shape, card, reached):
    mates = talon.tableau_mates[talon.rank[card]] & tableau.present[shape]
    while mates:
        if covers_all(reached, tableau.flipped[shape, lowest(mates)]):
            return True
        mates &= mates - 1
    return False


@inlined
def unblocked(tableau, talon, shape, live):
    """Return the cards that may come to lie on top in a pass that is still to begin, where several are drawn at once.

    The last of each draw does, and a card before it once all between them have left. Cards that leave before a card
    shift it to another place of its draw; but nothing takes a card whose partners have left the tableau.
    """
    leaving = live & talon.kings
    rest = live & ~leaving
    while rest:
        card = rest & -rest
        rest ^= card
        if talon.tableau_mates[talon.rank[lowest(card)]] & tableau.present[shape]:
            leaving |= card
    found = live
    is_changed = True
    while is_changed:
        is_changed = False
        shifts = 0  # how many cards before this one may leave
        place = 0
        rest = live
        while rest and shifts < talon.draw - 1:
            card = rest & -rest
            rest ^= card
            if leaving & card:
                if _comes_up(talon, leaving, rest, place, shifts):
                    shifts += 1
                else:
                    leaving ^= card
                    found ^= card
                    is_changed = True
            place += 1
    return found


@inlined
def _comes_up(talon, leaving, after, place, shifts):
    """Return True if enough of the cards after one can leave for it to be the last of its draw."""
    least = talon.draw
    for shift in range(shifts + 1):
        least = min(least, talon.draw - 1 - (place - shift) % talon.draw)
    while least and after:
        if not leaving & after & -after:
            return False
        after &= after - 1
        least -= 1
    return True


@inlined
def until_key(tableau, talon, shape, live, at, is_turned, can_turn):
    """Return when the talon card that takes the last tableau card can be on top, as (place, whether turned) or -1.

    It has to be on top at the end, so that no card may lie on it that nothing in the tableau can take away.
    """
    if not tableau.present[shape] or tableau.key_pairs & tableau.present[shape]:
        return at, is_turned
    keys = live & talon.mates[tableau.rank[0]]
    waiting = partners(tableau.counts[shape])
    rest = live & below(at)
    while rest:
        card = highest(rest)
        if keys >> card & 1:
            return at, is_turned
        if talon.unit[card] and not waiting & ANY * talon.unit[card]:
            break
        rest ^= 1 << card
    if keys >> at:
        return at + lowest(keys >> at) + 1, is_turned
    if is_turned:
        return at, is_turned
    if not keys or not can_turn:
        return -1, is_turned
    return lowest(keys) + 1, True
