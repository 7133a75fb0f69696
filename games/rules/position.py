"""A position: everything that decides what may happen next, as one immutable value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise
from operator import attrgetter

from games.rules.cards import UNSEEN, Card, Deck
from games.rules.errors import IllegalMove, NotationError
from games.rules.layout import Layout, Piles
from games.rules.moves import DRAW, RECYCLE, Kind, Move, park_move
from games.rules.notation import read_position, write_position
from games.rules.refusals import why_illegal
from games.rules.rulesets import RuleSet
from games.rules.table import Table
from games.rules.tableau import shape_families

_TEXT = attrgetter("text")


class Outcome(StrEnum):
    """The ends of a game. A position alone can only be won or stuck."""

    WON = "won"
    STUCK = "stuck"
    RESIGNED = "resigned"
    EXPIRED = "expired"


@dataclass(slots=True, eq=False, repr=False)
class Position(Table):
    """A position of a rule set. Make one with `deal` or `from_text` and the next ones with `after`.

    Its fields are those of a `Table`; what follows from a move is here. Positions are equal when rules and texts are.
    """

    _legal_moves: tuple[Move, ...] | None = field(default=None, init=False)
    _text: str | None = field(default=None, init=False)

    @classmethod
    def deal(cls, deck: Deck, rules: RuleSet) -> Position:
        """Return the first position of a deck."""
        if len(deck.cards) != rules.deck_size:
            raise NotationError(f"{rules.slug} needs {rules.deck_size} cards, not {len(deck.cards)}")
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
        """Read a position. Raises `NotationError` if the text is not a position of these rules."""
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
                return self._can_recycle
        return move in self._uncovered.removals or self._leave_from_tops(*move.cards)

    def after(self, move: Move) -> Position:
        """Return the position that a legal move leads to. Raises `IllegalMove` for any other."""
        if not self.allows(move):
            raise IllegalMove(move.text, why_illegal(self, move))
        match move.kind:
            case Kind.DRAW:
                return self._drawn()
            case Kind.RECYCLE:
                return self._recycled()
            case Kind.PARK:
                return self._parked(*move.cards)
            case _:
                return self._without(move.cards)

    @property
    def outcome(self) -> Outcome | None:
        """`WON`, `STUCK`, or None while a removal can still be reached or, with unseen cards, may be.

        Where a card drawn over leaves play, draws alone may reach the win: that is not stuck either.
        """
        if self.is_won:
            return Outcome.WON
        return Outcome.STUCK if self.is_stuck() else None

    def is_stuck(self, unseen: AbstractSet[Card] = frozenset()) -> bool:
        """Return True if no removal can be reached, nor the win, whatever the order of the cards never seen.

        An unseen card (`??`) on the way leaves it open, which is False, unless `unseen` names the cards it may be.

        Players see this answer, so it must be the same for every order of the unseen cards; otherwise it would
        reveal something about the order.
        """
        if unseen and (UNSEEN in self.stock or (UNSEEN in self.layout.cards and UNSEEN in self.tableau)):
            return self.filled(unseen).is_stuck(unseen)  # any order will do: the answer is the same for all
        if unseen.isdisjoint(self.stock) and not self.rules.cells:
            unseen = frozenset()  # those in the tableau stay covered until a removal, if no card can be parked
        if self.is_won or self._draws_bring_a_removal(unseen):
            return False
        if self.rules.draw == len(self.wastes) == 1 and not (self.rules.cells or unseen):
            # The look above covered every card that can come up, so only what is exposed now is left to check.
            return not self._removals() and not any(UNSEEN in cards for cards in (self.exposed, *self._coming))
        # Until a removal comes up, the moves are the same in every order: one walk stands for all.
        return not any(position.is_won or position._may_have_a_removal(unseen) for position in self._walk())

    def seen_by(self, known: AbstractSet[Card]) -> Position:
        """Return this position as seen by someone who has seen only these cards."""
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
        elif self._can_recycle:
            moves.append(RECYCLE)
        if self.rules.cells:
            moves += [park_move(card) for card in self._parkable]
        return moves

    def _drawn(self) -> Position:
        count, piles = self.rules.draw, len(self.wastes)
        drawn = self.stock[:count]
        if piles == 1:  # the usual case, and the most frequent move
            wastes: Piles = (self.wastes[0] + drawn,)
        else:
            wastes = tuple(pile + drawn[number::piles] for number, pile in enumerate(self.wastes))
        return self._with_talon(wastes, self.stock[count:], self.recycles)

    def _recycled(self) -> Position:
        stock = tuple(card for pile in reversed(self.wastes) for card in pile)
        recycles = None if self.recycles is None else self.recycles - 1
        return self._with_talon(((),) * len(self.wastes), stock, recycles)

    def _without(self, cards: tuple[Card, ...]) -> Position:
        """Take exposed cards away from wherever they lie."""
        stock, gone = self.stock, self.layout.places_of(cards)
        return Position(
            self.rules,
            self.layout,
            tuple(shape.without(gone) for shape in self.shapes),
            _without_tops(self.wastes, cards),
            stock[1:] if stock and stock[0] in cards else stock,
            self.recycles,
            _without_tops(self.reserve, cards),
            self.cells and tuple(card for card in self.cells if card not in cards),
        )

    def _parked(self, card: Card) -> Position:
        return replace(self._without((card,)), cells=tuple(sorted((*self.cells, card), key=_TEXT)))

    def _with_talon(self, wastes: Piles, stock: tuple[Card, ...], recycles: int | None) -> Position:
        return Position(self.rules, self.layout, self.shapes, wastes, stock, recycles, self.reserve, self.cells)

    def _walk(self) -> Iterator[Position]:
        """Return every position that draws, recycles and parks lead to, this one first."""
        met, waiting = {self._talon_and_cells}, [self]
        while waiting:
            position = waiting.pop()
            yield position
            for later in position._after_no_removal():
                if later._talon_and_cells not in met:
                    met.add(later._talon_and_cells)
                    waiting.append(later)

    def _after_no_removal(self) -> Iterator[Position]:
        if self.stock:
            yield self._drawn()
        elif self._can_recycle:
            yield self._recycled()
        for card in self._parkable:
            yield self._parked(card)

    def _may_have_a_removal(self, unseen: AbstractSet[Card]) -> bool:
        """Return True if exposed cards can be removed in some order of the unseen cards.

        An exposed card that was never seen stands for any unseen card, so it counts as a partner if any of them is one.
        Two such cards count if some two unseen cards match.
        """
        exposed = self.exposed
        if self._removals() or UNSEEN in exposed:
            return True
        known = [card for card in exposed if card not in unseen]
        hidden = len(exposed) - len(known)
        match = self.rules.match
        partners = [match.solos, *(match.pairs[card] for card in known)] if hidden else []
        partners += [match.pairs[card] for card in unseen] if hidden > 1 else []
        return not all(unseen.isdisjoint(cards) for cards in partners)

    def _draws_bring_a_removal(self, unseen: AbstractSet[Card]) -> bool:
        """Return True if a card that is sure to come up can be removed alone, with an exposed card or its neighbour.

        This is a shortcut that avoids the walk over all later positions. With one waste pile, draw 1 and all cards
        known it finds every removal that draws and recycles can bring.
        """
        if self.rules.draw > max(len(self.wastes), self.rules.stock_open):
            return False  # some cards come to lie under others that are drawn with them
        partners = self._uncovered.partners
        for pile in self.reserve:
            partners = partners.union(self.rules.match.pairs[pile[-1]] if pile else ())
        if not all(partners.isdisjoint(cards) for cards in (unseen, *self._coming)):
            return True
        if not (self.rules.stock_open and self.wastes):
            return False
        # The top of the waste meets the top of an open stock: neighbours in the talon's order, which recycles keep.
        waste = self.wastes[0] if self.recycles != 0 else self.wastes[0][-1:]
        return any(later in self.rules.match.pairs[card] for card, later in pairwise(waste + self.stock))

    @property
    def _coming(self) -> Piles:
        """The piles of the talon whose cards draws and recycles bring to the top."""
        return (self.stock,) if self.recycles == 0 else (*self.wastes, self.stock)

    @property
    def _talon_and_cells(self) -> tuple[object, ...]:
        """The parts that draws, recycles and parks change: equal keys have the same future without a removal."""
        return self.shapes, self.wastes, self.stock, self.recycles, self.cells

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.rules == other.rules and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Position({self.text!r}, {self.rules.slug})"


def _without_tops(piles: Piles, cards: tuple[Card, ...]) -> Piles:
    for pile in piles:
        if pile and pile[-1] in cards:
            return tuple(pile[:-1] if pile and pile[-1] in cards else pile for pile in piles)
    return piles  # as after most removals
