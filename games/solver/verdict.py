"""Decide without a search whether a position can be won, where the stock goes round without limit.

With unlimited passes and draw 1 every card outside the tableau can be brought to the top of the waste, again and
again. So all of them are at hand at any time, and each exposed tableau card may leave alone as long as partners
last. What decides is how many pairs have to leave inside the tableau, per rank class {r, 13 - r}, because partners
outside are too few. The tableau is won if some order of clearing it contains that many pairs of every class.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from games.rules import UNSEEN, Goal, Match, NotationError, Position, RuleSet

KING = 13
CLASSES = range(1, 7)

Needs = tuple[int, ...]  # pairs by rank class; 0 is the class of the Kings, which need none


def has_exact_verdict(rules: RuleSet) -> bool:
    """Return True if `verdict` is exact for these rules."""
    goes_round = (rules.draw, rules.wastes, rules.passes) == (1, 1, None)
    plain = rules.match is Match.THIRTEEN and not (rules.reserve_size or rules.cells)
    return goes_round and plain and rules.goal is Goal.TABLEAU


def verdict(position: Position) -> bool:
    """Return True if a position can be won, in polynomial time. Raises `ValueError` for rules it is not exact for."""
    if not has_exact_verdict(position.rules):
        raise ValueError(f"no verdict without a search for {position.rules.slug}")
    clearing = _Clearing(position)
    seen: set[tuple[int, Needs]] = set()
    waiting = [(clearing.start, clearing.needs)]
    while waiting:
        left, needs = waiting.pop()
        left, exposed = clearing.without_the_free(left, needs)
        if not any(needs):
            return True
        if (left, needs) not in seen and clearing.has_enough(left, needs):
            seen.add((left, needs))
            waiting += clearing.removals(left, exposed, needs)
    return False


def is_lost_whatever_the_order(position: Position) -> bool:
    """Return True if even unlimited passes through the stock, which make its order irrelevant, cannot win the game."""
    rules = position.rules
    if rules.face_down or not rules.has_stock:
        return False
    kinder = replace(rules, draw=1, wastes=1, stock_open=False, passes=None, goal=Goal.TABLEAU)
    if not has_exact_verdict(kinder):
        return False
    waste = tuple(card for pile in position.wastes for card in pile)
    return not verdict(replace(position, rules=kinder, wastes=(waste,), recycles=None))


class _Clearing:
    """The tableau of one position, to be cleared in any order; what is left of it is a bit set of places."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._overlap = position.rules.overlap
        self._families = [(shape.family, shape.family.full.occupied) for shape in position.shapes]
        self._ranks = [card.rank if card else 0 for card in position.tableau]
        self._class = [min(rank, KING - rank) for rank in self._ranks]
        self._places = [
            sum(1 << place for place, own in enumerate(self._ranks) if own == rank) for rank in range(KING + 1)
        ]
        self.start = sum(shape.occupied for shape in position.shapes)

    @cached_property
    def needs(self) -> Needs:
        """The pairs that must leave inside the tableau, by rank class."""
        position = self._position
        outside = [card.rank for card in (*position.wastes[0], *position.stock)]
        inside = [card.rank for card in position.tableau if card]
        if UNSEEN.rank in inside + outside:
            raise NotationError(f"a verdict needs a position without unseen cards: {position.text!r}")
        lack = [max(0, inside.count(rank) - outside.count(KING - rank)) for rank in range(KING)]
        return (0, *(max(lack[rank], lack[KING - rank]) for rank in CLASSES))

    def without_the_free(self, left: int, needs: Needs) -> tuple[int, list[int]]:
        """Remove exposed cards that no pair needs until none is left; return the rest and which of it is exposed.

        This never spoils a win: such a card takes a partner from outside, where there are enough of its class.
        """
        while True:
            exposed = [place for family, full in self._families for place in family[left & full].exposed]
            free = sum(1 << place for place in exposed if not needs[self._class[place]])
            if not free:
                return left, exposed
            left &= ~free

    def has_enough(self, left: int, needs: Needs) -> bool:
        """Return True if the tableau still holds the cards for all the pairs that are needed."""
        places = self._places
        for rank in CLASSES:
            need = needs[rank]
            if need and min((left & places[rank]).bit_count(), (left & places[KING - rank]).bit_count()) < need:
                return False
        return True

    def removals(self, left: int, exposed: list[int], needs: Needs) -> Iterator[tuple[int, Needs]]:
        """Return what is left and needed after each single card, then after each pair, which is tried first."""
        for place in exposed:
            yield left & ~(1 << place), needs
        for place, other in self._pairs(left, exposed):
            own = self._class[place]
            yield left & ~(1 << place | 1 << other), (*needs[:own], needs[own] - 1, *needs[own + 1 :])

    def _pairs(self, left: int, exposed: list[int]) -> Iterator[tuple[int, int]]:
        ranks = self._ranks
        pairs = [(place, other) for place in exposed for other in exposed if place < other]
        if self._overlap:
            pairs += [pair for family, full in self._families for pair in family[left & full].half_covered]
        return ((place, other) for place, other in pairs if ranks[place] + ranks[other] == KING)
