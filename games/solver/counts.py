"""Packed counts: how many cards there are of each rank, all in one word.

Ranks that leave together with exactly one other rank form a class, such as 4 and 9; at most six do. The two ranks of a
class have fields 30 bits apart, so that swapping the halves of a word turns cards into partners. Other ranks have no
field. The highest bit of a field stays free: it catches the borrow when whole words are subtracted.
"""

from games.solver.compiling import inlined

FIELD = 5
CLASSES = 6
HALF = CLASSES * FIELD
ANY = (1 << FIELD - 1) - 1
LOW = (1 << HALF) - 1
ONES = sum(1 << FIELD * field for field in range(2 * CLASSES))
LOW_ONES = ONES & LOW
GUARD = ONES << FIELD - 1


@inlined
def partners(counts: int) -> int:
    """Return the counts of the cards that each rank may leave with."""
    return counts >> HALF | (counts & LOW) << HALF


@inlined
def covers_all(counts: int, needed: int) -> bool:
    """Return True if every rank is there at least as often as it is needed."""
    # A guard bit is lost exactly where its field borrows from it.
    return (counts | GUARD) - needed & GUARD == GUARD


@inlined
def less(counts: int, others: int) -> int:
    """Return the differences of two counts, 0 where they would be negative."""
    difference = (counts | GUARD) - others
    enough = difference & GUARD
    return difference & enough - (enough >> FIELD - 1)  # the fields that still have their guard bit


@inlined
def larger(counts: int) -> int:
    """Return for each class the larger of its two counts, in the low half."""
    low = counts & LOW
    return low + less(counts >> HALF, low)


@inlined
def smaller(counts: int) -> int:
    """Return for each class the smaller of its two counts, in the low half."""
    return (counts & LOW) + (counts >> HALF) - larger(counts)


@inlined
def total(counts: int) -> int:
    """Return the sum of all fields; neither half may exceed 31."""
    # Multiplying by 1 in every field adds all fields up in the highest one.
    return ((counts & LOW) * LOW_ONES >> HALF - FIELD & 31) + ((counts >> HALF) * LOW_ONES >> HALF - FIELD & 31)
