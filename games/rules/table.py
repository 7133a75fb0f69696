"""The cards of a position by place, those that are exposed or in sight, and those that may leave or be parked."""

from dataclasses import dataclass
from itertools import combinations
from typing import Final

from games.rules.cards import UNSEEN, Card
from games.rules.layout import Exposed, Layout, Piles
from games.rules.moves import Move
from games.rules.rulesets import Goal, RuleSet
from games.rules.tableau import Shape


@dataclass(slots=True, eq=False, repr=False)  # `frozen` would more than double the time to make one; `Final` costs none
class Table:
    """The cards in play, place by place.

    `stock` has the next card first; `wastes` and `reserve` have their exposed cards last; `cells` holds the
    parked cards only, sorted. `recycles` is how many are left, None for unlimited.
    """

    rules: Final[RuleSet]
    layout: Final[Layout]
    shapes: Final[tuple[Shape, ...]]
    wastes: Final[Piles]
    stock: Final[tuple[Card, ...]]
    recycles: Final[int | None]
    reserve: Final[Piles] = ()
    cells: Final[tuple[Card, ...]] = ()

    @property
    def is_won(self) -> bool:
        for shape in self.shapes:
            if shape.occupied:
                return False
        return not self.cards_left

    @property
    def cards_left(self) -> int:
        """The number of cards that the goal still requires to remove; 0 when won."""
        tableau = sum(shape.occupied.bit_count() for shape in self.shapes)
        if self.rules.goal is Goal.TABLEAU:
            return tableau + sum(card in self.layout.goal for card in self.cells)
        return tableau + len(self.stock) + sum(map(len, self.wastes + self.reserve)) + len(self.cells)

    @property
    def tableau(self) -> tuple[Card | None, ...]:
        """The tableau by place in dealing order; None where the card is gone."""
        return tuple(card if self.holds(place) else None for place, card in enumerate(self.layout.cards))

    def holds(self, place: int) -> bool:
        """Return True if a tableau place still holds its card."""
        return any(shape.occupied >> place & 1 for shape in self.shapes)

    def covers(self, place: int) -> list[int]:
        """Return the places whose cards still cover a tableau place."""
        (shape,) = (shape for shape in self.shapes if shape.occupied >> place & 1)
        covers = shape.family.covers_of(place) & shape.occupied
        return [cover for cover in range(covers.bit_length()) if covers >> cover & 1]

    @property
    def cards(self) -> list[Card]:
        """All cards in play."""
        piles = [card for pile in (*self.reserve, *self.wastes, self.stock, self.cells) for card in pile]
        return [card for card in self.tableau if card is not None] + piles

    @property
    def exposed(self) -> list[Card]:
        """The cards that may be played now: tableau, waste tops, open stock top, reserve tops, cells."""
        return [*self._uncovered.cards, *self._tops]

    @property
    def in_sight(self) -> tuple[Card, ...]:
        """The cards that lie face up, which unseen stock cards and, under some rules, covered tableau cards do not."""
        face_down = self.rules.face_down
        tableau = self._uncovered.cards if face_down else [card for card in self.tableau if card is not None]
        stock = self.stock if self.rules.stock_seen else self.stock[: self.rules.stock_open]
        piles = [card for pile in self.wastes + self.reserve for card in pile]
        return (*tableau, *piles, *stock, *self.cells)

    @property
    def just_turned(self) -> tuple[Card, ...]:
        """The cards in sight that the last move may have turned up; all others in sight lay face up before it.

        A play looks only at these after each move, so that a draw costs no walk over the whole table.
        """
        tableau = self._uncovered.cards if self.rules.face_down else ()
        drawn = [card for pile in self.wastes for card in pile[-self.rules.draw :]]
        return (*tableau, *drawn, *self.stock[: self.rules.stock_open])

    @property
    def _uncovered(self) -> Exposed:
        return self.layout.exposed(self.shapes, self.rules)

    @property
    def _tops(self) -> list[Card]:
        """The exposed cards outside the tableau: waste tops, open stock top, reserve tops, cells."""
        tops = [pile[-1] for pile in self.wastes if pile]
        if self.rules.stock_open and self.stock:
            tops.append(self.stock[0])
        if self.reserve:
            tops += [pile[-1] for pile in self.reserve if pile]
        tops += self.cells
        return tops

    @property
    def _can_recycle(self) -> bool:
        return self.recycles != 0 and not self.stock and any(self.wastes)

    @property
    def _parkable(self) -> list[Card]:
        if len(self.cells) >= self.rules.cells:
            return []
        cards = [*self._uncovered.cards, *(pile[-1] for pile in self.wastes if pile)]
        return [card for card in cards if card is not UNSEEN]

    def _removals(self) -> list[Move]:
        match, exposed = self.rules.match, self._uncovered
        moves, tops = list(exposed.removals), self._tops
        for card in tops:
            if card in exposed.partners:
                pairs = match.pairs[card]
                moves += [pairs[other] for other in exposed.cards if other in pairs]
            if card in match.solos:
                moves.append(match.solos[card])
        if len(tops) > 1:
            moves += [match.pairs[card][other] for card, other in combinations(tops, 2) if other in match.pairs[card]]
        return moves

    def _leave_from_tops(self, card: Card, other: Card | None = None) -> bool:
        """Return True if a card outside the tableau may leave alone or, with another, together with an exposed one."""
        match, tops, free = self.rules.match, self._tops, self._uncovered.cards
        if other is None:
            return card in match.solos and card in tops
        if other not in match.pairs[card]:
            return False
        return (card in tops and (other in tops or other in free)) or (other in tops and card in free)
