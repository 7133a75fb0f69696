"""A position as a table of cards, and the moves that cards make. It knows no rules: the server says what is legal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

GONE, UNSEEN = "--", "??"
RANKS = "A23456789TJQK"
DRAW, RECYCLE, PARK = "D", "R", "P"

Row = list[str]


class Table(NamedTuple):
    """The places of a position (docs/notation.md): each a card, `--` where one has left, `??` where none was seen."""

    peaks: list[list[Row]]
    wastes: list[Row]
    stock: Row
    recycles: str
    reserve: list[Row]
    cells: Row

    @classmethod
    def read(cls, text: str) -> Table:
        tableau, talon, recycles, *others = text.split(" ")
        wastes, _, stock = talon.partition("|")
        more = {part[:2]: part[2:] for part in others}
        return cls(
            [[_cards(row) for row in peak.split("/")] for peak in tableau.split("+")],
            [_cards(waste) for waste in wastes.split(",")],
            _cards(stock),
            recycles,
            [_cards(pile) for pile in more["r:"].split(",")] if "r:" in more else [],
            _cards(more.get("c:", "")),
        )

    def seen(self) -> list[str]:
        """Return the cards that can be pointed at, from the tip of the tableau to the cells."""
        tops = [pile[-1] for pile in [*self.wastes, *self.reserve] if pile]
        places = [*(card for peak in self.peaks for row in peak for card in row), *tops, *self.stock[:1], *self.cells]
        return [card for card in places if card not in {GONE, UNSEEN}]

    def without(self, cards: Sequence[str]) -> Table:
        """Return the table after cards have left it."""

        def left(row: Row) -> Row:
            return [GONE if card in cards else card for card in row]

        def taken(pile: Row) -> Row:
            return [card for card in pile if card not in cards]

        return Table(
            [[left(row) for row in peak] for peak in self.peaks],
            [taken(waste) for waste in self.wastes],
            taken(self.stock),
            self.recycles,
            [taken(pile) for pile in self.reserve],
            left(self.cells),
        )


def cards_of(move: str) -> list[str]:
    """Return the cards that a move names."""
    return [] if move in {DRAW, RECYCLE} else _cards(move.removeprefix(PARK))


def removable(legal: Iterable[str]) -> set[str]:
    """Return the cards that some legal removal takes."""
    return {card for move in legal if not move.startswith(PARK) for card in cards_of(move)}


def removal(legal: Iterable[str], *cards: str) -> str | None:
    """Return the legal removal of exactly these cards."""
    return next((move for move in legal if not move.startswith(PARK) and {*cards_of(move)} == {*cards}), None)


def as_move(cards: Iterable[str]) -> str:
    """Return the removal of some cards as text: the lower rank first, then the lower letter."""
    return "".join(sorted(cards, key=lambda card: (RANKS.index(card[0]), card[1])))


def _cards(text: str) -> Row:
    return re.findall(r"(--|\?\?|[A2-9TJQK][cdhsCDHS])w?", text)
