"""A position as a picture: where each card lies and how it looks, for SVG. Pure.

The places have the form of the browser game's `layout.js`, whose scene moves the cards when there is a script.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.rules import Card, Kind, Move, Position, RuleSet

WIDTH, HEIGHT = 50, 70
ACROSS, DOWN = 54, 31  # from a card to its neighbour, and to the row that covers it
BETWEEN, MARGIN, FAN, LABEL = 24, 6, 24, 20
LEAST_WIDE = 340

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Places:
    """The places of everything in a frame of width and height: upper left corners; `labels` are below the piles."""

    width: int
    height: int
    tableau: tuple[Point, ...]
    reserve: tuple[Point, ...]
    stock: Point
    wastes: tuple[Point, ...]
    cells: tuple[Point, ...]
    removed: Point
    label: int

    @property
    def data(self) -> dict[str, Any]:
        """The places as the scripts read them."""
        return {
            "card": {"w": WIDTH, "h": HEIGHT},
            "tableau": list(map(_rect, self.tableau)),
            "reserve": list(map(_rect, self.reserve)),
            "fan": FAN,
            "stock": _rect(self.stock),
            "wastes": list(map(_rect, self.wastes)),
            "wasteFan": 0,
            "wasteSeen": 1,
            "cells": list(map(_rect, self.cells)),
            "removed": _rect(self.removed),
        }


@dataclass(frozen=True, slots=True)
class Lying:
    """A card as it is drawn: `number` is its place in the deck, `kind` its colour, or `back`."""

    number: int
    rank: str
    suit: str
    x: int
    y: int
    kind: str
    is_free: bool
    is_shown: bool


@cache
def places_of(rules: RuleSet) -> Places:
    """Lay out a rule set: peaks side by side, the reserve below them, then stock, wastes, cells and what is gone."""
    lefts, right = [], MARGIN
    for peak in rules.tableau:
        lefts.append(right)
        right += peak.rows * ACROSS - (ACROSS - WIDTH) + BETWEEN
    piles, depth = rules.reserve
    below = 2 + rules.wastes + rules.cells
    wide = max(right - BETWEEN, MARGIN + ACROSS * max(piles, below + 1), LEAST_WIDE) + MARGIN
    shift = (wide - (right - BETWEEN + MARGIN)) // 2
    tableau = [(x + shift, y) for peak, left in zip(rules.tableau, lefts, strict=True) for x, y in _peak(peak, left)]
    bottom = max(y for _, y in tableau) + HEIGHT + 18
    reserve = [((wide - piles * ACROSS) // 2 + pile * ACROSS, bottom) for pile in range(piles)]
    if piles:
        bottom += HEIGHT + (depth - 1) * FAN + 18
    row = _row(wide, below, bottom)
    return Places(
        width=wide,
        height=bottom + HEIGHT + LABEL + MARGIN,
        tableau=tuple(tableau),
        reserve=tuple(reserve),
        stock=row[0],
        wastes=tuple(row[1 : 1 + rules.wastes]),
        cells=tuple(row[1 + rules.wastes : -1]),
        removed=row[-1],
        label=bottom + HEIGHT + LABEL - 4,
    )


def _row(wide: int, count: int, top: int) -> list[Point]:
    """Return the corners of a number of piles side by side, centred."""
    pitch = min(ACROSS + 16, (wide - 2 * MARGIN - WIDTH) // max(1, count - 1))
    first = (wide - (count - 1) * pitch - WIDTH) // 2
    return [(first + place * pitch, top) for place in range(count)]


def lying(position: Position, deck: Iterable[Card]) -> list[Lying]:
    """Return all cards of a deck as they lie in a position, in the order in which they are drawn."""
    places, where = places_of(position.rules), dict(_piles(position))
    free = set(position.exposed)
    cards = []
    for number, card in enumerate(deck):
        x, y, is_up = where.get(card, (*places.removed, False))
        kind = "r" if card.text[1].lower() in "dh" else "k"
        suit = card.text[1].lower()
        look = kind if is_up else "back"
        cards.append(Lying(number, card.text[0], suit, x, y, look, card in free and is_up, card in where))
    return cards


def rings(position: Position, move: Move | None) -> list[tuple[Point, bool]]:
    """Return the places to ring: True for the move played, False for the alternatives."""
    where = dict(_piles(position))
    played = _touched(position, move) if move else set()
    others = {place for other in position.legal_moves if other is not move for place in _touched(position, other)}
    points = {card: (x, y) for card, (x, y, _) in where.items()}
    stock = places_of(position.rules).stock
    at = [points.get(card, stock) if card else stock for card in (*played, *sorted(others - played, key=str))]
    return [(point, index < len(played)) for index, point in enumerate(at)]


def _touched(position: Position, move: Move) -> set[Card | None]:
    """Return the cards of a move, None for the stock."""
    if move.kind in (Kind.DRAW, Kind.RECYCLE):
        return {None}
    return set(move.cards)


def _piles(position: Position) -> Iterator[tuple[Card, tuple[int, int, bool]]]:
    """Yield where each card lies that is still there, and whether its face is shown."""
    places, rules = places_of(position.rules), position.rules
    free = set(position.exposed)
    for place, card in enumerate(position.layout.cards):
        if any(shape.occupied >> place & 1 for shape in position.shapes):
            yield card, (*places.tableau[place], not rules.face_down or card in free)
    for pile, corner in zip(position.reserve, places.reserve, strict=True):
        yield from ((card, (corner[0], corner[1] + depth * FAN, True)) for depth, card in enumerate(pile))
    for number, card in enumerate(position.stock):
        yield card, (*places.stock, rules.stock_open and number == 0)
    for pile, corner in zip(position.wastes, places.wastes, strict=True):
        yield from ((card, (*corner, True)) for card in pile)
    yield from ((card, (*corner, True)) for card, corner in zip(position.cells, places.cells, strict=False))


def _peak(peak: Any, left: int) -> Iterator[Point]:
    for row, length in enumerate(peak.row_lengths):
        first = left + (peak.rows - length) * ACROSS // 2
        yield from ((first + place * ACROSS, MARGIN + row * DOWN) for place in range(length))


def _rect(point: Point) -> dict[str, int]:
    return {"x": point[0], "y": point[1], "width": WIDTH, "height": HEIGHT}
