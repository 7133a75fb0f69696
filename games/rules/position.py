"""A position: everything that decides what may happen next, as one immutable value."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import combinations, pairwise
from operator import attrgetter
from typing import Final

from games.rules.cards import UNSEEN, Card, Deck
from games.rules.errors import IllegalMove, NotationError
from games.rules.moves import DRAW, RECYCLE, Kind, Move, park_move
from games.rules.notation import Free, Layout, Piles, read_position, write_position
from games.rules.refusals import why_illegal
from games.rules.rulesets import Goal, RuleSet
from games.rules.tableau import Shape, shape_families

_TEXT = attrgetter("text")


class Outcome(StrEnum):
    """How a game ends. A position alone can only be won or stuck."""

    WON = "won"
    STUCK = "stuck"
    RESIGNED = "resigned"
    EXPIRED = "expired"


@dataclass(slots=True, eq=False, repr=False)  # `frozen` would more than double the time to make one; `Final` costs none
class Position:
    """A position of a rule set. Make one with `deal` or `from_text` and the next ones with `after`.

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
    _legal_moves: tuple[Move, ...] | None = field(default=None, init=False)
    _text: str | None = field(default=None, init=False)

    @classmethod
    def deal(cls, deck: Deck, rules: RuleSet) -> Position:
        """Return the first position of a deck."""
        if len(deck.cards) != rules.deck_size:
            raise NotationError(f"{rules.slug} is played with {rules.deck_size} cards, not {len(deck.cards)}")
        tableau, rest = deck.cards[: rules.tableau_size], deck.cards[rules.tableau_size :]
        piles = rules.reserve[0]
        return cls(
            rules=rules,
            layout=Layout(tableau),
            shapes=tuple(family.full for family in shape_families(rules.tableau)),
            wastes=((),) * rules.wastes,
            stock=rest[rules.reserve_size :],
            recycles=rules.recycles,
            reserve=tuple(rest[: rules.reserve_size][pile::piles] for pile in range(piles)),
        )

    @classmethod
    def from_text(cls, text: str, rules: RuleSet) -> Position:
        """Read a position. Raises `NotationError` for a text that is none of these rules."""
        return cls(rules, *read_position(text, rules))

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = write_position(self)
        return self._text

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All moves allowed here, sorted by text; none in a won position."""
        if self._legal_moves is None:
            self._legal_moves = () if self.is_won else tuple(sorted(self._moves(), key=_TEXT))
        return self._legal_moves

    def allows(self, move: Move) -> bool:
        """Return True if a move is legal here, without listing all that are."""
        if self._legal_moves is not None or move.kind is Kind.PARK:
            return move in self.legal_moves
        if self.is_won:
            return False
        match move.kind:
            case Kind.DRAW:
                return bool(self.stock)
            case Kind.RECYCLE:
                return not self.stock and self.recycles != 0 and any(self.wastes)
        return move in self._free.removals or self._leave_from_tops(*move.cards)

    def after(self, move: Move) -> Position:
        """Return the position that a legal move leads to. Raises `IllegalMove` for any other."""
        if not self.allows(move):
            raise IllegalMove(move, self, why_illegal(self, move))
        match move.kind:
            case Kind.DRAW:
                return self._drawn()
            case Kind.RECYCLE:
                return self._recycled()
            case Kind.PARK:
                return self._without(move.cards)._with_parked(*move.cards)
            case _:
                return self._without(move.cards)

    @property
    def outcome(self) -> Outcome | None:
        """`WON`, `STUCK`, or None while a removal can still be reached or, with unseen cards, may be.

        Where a card drawn over leaves play, draws alone may reach the win: that is not stuck either.
        """
        if self.is_won:
            return Outcome.WON
        return Outcome.STUCK if self._is_stuck() else None

    @property
    def is_won(self) -> bool:
        for shape in self.shapes:
            if shape.occupied:
                return False
        return not self.cards_left

    @property
    def cards_left(self) -> int:
        """How many cards the goal still asks to remove; 0 when won."""
        tableau = sum(shape.occupied.bit_count() for shape in self.shapes)
        if self.rules.goal is Goal.TABLEAU:
            return tableau + sum(card in self.layout.goal for card in self.cells)
        return tableau + len(self.stock) + sum(map(len, self.wastes + self.reserve)) + len(self.cells)

    @property
    def tableau(self) -> tuple[Card | None, ...]:
        """The tableau by place in dealing order; None where the card is gone."""
        return tuple(card if self.holds(place) else None for place, card in enumerate(self.layout.cards))

    def holds(self, place: int) -> bool:
        """Tell whether a tableau place still holds its card."""
        return any(shape.occupied >> place & 1 for shape in self.shapes)

    def covers(self, place: int) -> list[int]:
        """Return the places whose cards still cover a tableau place."""
        (shape,) = (shape for shape in self.shapes if shape.occupied >> place & 1)
        covers = shape.family.covers_of(place) & shape.occupied
        return [cover for cover in range(covers.bit_length()) if covers >> cover & 1]

    @property
    def exposed(self) -> list[Card]:
        """The cards that may be touched now: tableau, waste tops, open stock top, reserve tops, cells."""
        return [*self._free.cards, *self._tops]

    @property
    def in_sight(self) -> tuple[Card, ...]:
        """The cards that lie face up: all but the closed stock and, where so ruled, covered tableau cards."""
        face_down = self.rules.face_down
        tableau = self._free.cards if face_down else [card for card in self.tableau if card is not None]
        open_stock = self.stock[: self.rules.stock_open]
        piles = [card for pile in self.wastes + self.reserve for card in pile]
        return (*tableau, *piles, *open_stock, *self.cells)

    @property
    def just_turned(self) -> tuple[Card, ...]:
        """The cards in sight that the last move may have turned up; all others in sight lay face up before it."""
        tableau = self._free.cards if self.rules.face_down else ()
        drawn = [card for pile in self.wastes for card in pile[-self.rules.draw :]]
        return (*tableau, *drawn, *self.stock[: self.rules.stock_open])

    def seen_by(self, known: AbstractSet[Card]) -> Position:
        """Return this position as someone sees it who has seen only these cards."""
        hidden = Layout(
            tuple(card if card in known else UNSEEN for card in self.layout.cards), self.layout.goal & known
        )
        return replace(self, layout=hidden, stock=tuple(card if card in known else UNSEEN for card in self.stock))

    def filled(self, unseen: Iterable[Card]) -> Position:
        """Return this position with cards in place of the unseen ones, tableau first, then the stock."""
        cards = iter(unseen)
        tableau = [
            next(cards) if card is UNSEEN and self.holds(n) else card for n, card in enumerate(self.layout.cards)
        ]
        stock = tuple(next(cards) if card is UNSEEN else card for card in self.stock)
        return replace(self, layout=Layout(tuple(tableau), self.layout.goal), stock=stock)

    def _moves(self) -> list[Move]:
        moves = self._removals()
        if self.stock:
            moves.append(DRAW)
        elif self.recycles != 0 and any(self.wastes):
            moves.append(RECYCLE)
        if len(self.cells) < self.rules.cells:
            cards = [*self._free.cards, *(pile[-1] for pile in self.wastes if pile)]
            moves += [park_move(card) for card in cards if card is not UNSEEN]
        return moves

    def _removals(self) -> list[Move]:
        match, free = self.rules.match, self._free
        moves, tops = list(free.removals), self._tops
        for card in tops:
            if card in free.partners:
                pairs = match.pairs[card]
                moves += [pairs[other] for other in free.cards if other in pairs]
            if card in match.solos:
                moves.append(match.solos[card])
        if len(tops) > 1:
            moves += [match.pairs[card][other] for card, other in combinations(tops, 2) if other in match.pairs[card]]
        return moves

    def _leave_from_tops(self, card: Card, other: Card | None = None) -> bool:
        """Return True if a card outside the tableau may leave alone or, with another, together with an exposed one."""
        match, tops, free = self.rules.match, self._tops, self._free.cards
        if other is None:
            return card in match.solos and card in tops
        if other not in match.pairs[card]:
            return False
        return (card in tops and (other in tops or other in free)) or (other in tops and card in free)

    def _drawn(self) -> Position:
        drawn, stock = self.stock[: self.rules.draw], self.stock[self.rules.draw :]
        piles = len(self.wastes)
        wastes = tuple(pile + drawn[number::piles] for number, pile in enumerate(self.wastes))
        return self._with_talon(wastes, stock, self.recycles)

    def _recycled(self) -> Position:
        stock = tuple(card for pile in reversed(self.wastes) for card in pile)
        recycles = None if self.recycles is None else self.recycles - 1
        return self._with_talon(((),) * len(self.wastes), stock, recycles)

    def _without(self, cards: tuple[Card, ...]) -> Position:
        """Take exposed cards away from wherever they lie."""
        place_of, stock = self.layout.place_of, self.stock
        gone = sum(1 << place_of[card] for card in cards if card in place_of)
        return Position(
            self.rules,
            self.layout,
            tuple(shape.without(gone) for shape in self.shapes),
            _without_tops(self.wastes, cards),
            stock[1:] if stock and stock[0] in cards else stock,
            self.recycles,
            _without_tops(self.reserve, cards),
            tuple(card for card in self.cells if card not in cards),
        )

    def _with_parked(self, card: Card) -> Position:
        return replace(self, cells=tuple(sorted((*self.cells, card), key=_TEXT)))

    def _with_talon(self, wastes: Piles, stock: tuple[Card, ...], recycles: int | None) -> Position:
        return Position(self.rules, self.layout, self.shapes, wastes, stock, recycles, self.reserve, self.cells)

    def _is_stuck(self) -> bool:
        """Tell whether no draws, recycles and parks lead to a removal; with unseen cards on the way it is not known."""
        if self._draws_bring_a_removal():
            return False
        if self.rules.draw == len(self.wastes) == 1 and not self.rules.cells:
            return not self._removals() and not any(UNSEEN in cards for cards in (self.exposed, *self._coming))
        met, waiting = set(), [self]
        while waiting:
            position = waiting.pop()
            if position.is_won or position._removals() or UNSEEN in position.exposed:
                return False
            met.add(position._talon_and_cells)
            after = [position.after(move) for move in position.legal_moves]
            waiting += [later for later in after if later._talon_and_cells not in met]
        return True

    def _draws_bring_a_removal(self) -> bool:
        """Tell, without a walk, whether a card that is sure to come up leaves alone, with a free one or its neighbour.

        Of one waste drawn to card by card, that is every removal which draws and recycles can bring.
        """
        if self.rules.draw > max(len(self.wastes), self.rules.stock_open):
            return False  # some cards come to lie under others that are drawn with them
        partners = self._free.partners
        for pile in self.reserve:
            partners = partners.union(self.rules.match.pairs[pile[-1]] if pile else ())
        if not all(partners.isdisjoint(cards) for cards in self._coming):
            return True
        if not (self.rules.stock_open and self.wastes):
            return False
        waste = self.wastes[0] if self.recycles != 0 else self.wastes[0][-1:]
        return any(later in self.rules.match.pairs[card] for card, later in pairwise(waste + self.stock))

    @property
    def _coming(self) -> Piles:
        """The piles of the talon whose cards draws and recycles bring up."""
        return (self.stock,) if self.recycles == 0 else (*self.wastes, self.stock)

    @property
    def _free(self) -> Free:
        return self.layout.free(self.shapes, self.rules)

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
    def _talon_and_cells(self) -> tuple[object, ...]:
        """What draws, recycles and parks can change."""
        return self.shapes, self.wastes, self.stock, self.recycles, self.cells

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.rules == other.rules and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Position({self.text!r}, {self.rules.slug})"


def _without_tops(piles: Piles, cards: tuple[Card, ...]) -> Piles:
    return tuple(pile[:-1] if pile and pile[-1] in cards else pile for pile in piles)
