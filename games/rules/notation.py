"""The text of a position, read and written."""

import re
from itertools import islice
from typing import NamedTuple

from games.rules.cards import UNSEEN, Card, read_places, require_distinct
from games.rules.errors import NotationError
from games.rules.layout import Layout, Piles
from games.rules.rulesets import Goal, RuleSet
from games.rules.table import Table
from games.rules.tableau import Shape, shape_families

# The mark of a parked card that came from the waste, where only tableau cards are the goal.
FROM_WASTE = "w"

_TOKEN = re.compile(
    r"\s*(?:(?P<place>(?:10|[A2-9TJQK])[cdhs]|--|\?\?)|(?P<mark>[/+|,*w]|\d+|[rc]:|\Z))", re.IGNORECASE | re.ASCII
)


class Parts(NamedTuple):
    """The fields of a position, in its own order."""

    layout: Layout
    shapes: tuple[Shape, ...]
    wastes: Piles
    stock: tuple[Card, ...]
    recycles: int | None
    reserve: Piles
    cells: tuple[Card, ...]


def write_position(position: Table) -> str:
    """Return the one canonical text of a position."""
    rules = position.rules
    parts = [_write_tableau(position), f"{_write_piles(position.wastes)}|{_write_pile(position.stock)}"]
    parts.append("*" if position.recycles is None else str(position.recycles))
    if rules.reserve_size:
        parts.append("r:" + _write_piles(position.reserve))
    if rules.cells:
        counts = [rules.goal is Goal.ALL or card in position.layout.goal for card in position.cells]
        parked = [card.text + FROM_WASTE * (not goal) for card, goal in zip(position.cells, counts, strict=True)]
        parts.append("c:" + "".join(parked) + "--" * (rules.cells - len(parked)))
    return " ".join(parts)


def _write_tableau(position: Table) -> str:
    places = iter(card.text if card else "--" for card in position.tableau)
    return "+".join(
        "/".join("".join(islice(places, length)) for length in peak.row_lengths) for peak in position.rules.tableau
    )


def _write_piles(piles: Piles) -> str:
    return ",".join(map(_write_pile, piles))


def _write_pile(pile: tuple[Card, ...]) -> str:
    return "".join(card.text for card in pile)


def read_position(text: str, rules: RuleSet) -> Parts:
    """Read a position of these rules. Raises `NotationError` for any other text."""
    parts = _Reader(text, rules).parts()
    loose = [card for pile in (*parts.wastes, parts.stock, *parts.reserve, parts.cells) for card in pile]
    require_distinct([*parts.layout.cards, *loose], text)
    return parts


class _Reader:
    """Reads the tokens of one position text from left to right."""

    def __init__(self, text: str, rules: RuleSet) -> None:
        self._text, self._rules, self._end = text, rules, 0
        self._read_token()

    def parts(self) -> Parts:
        rules = self._rules
        tableau = self._tableau()
        wastes = self._piles(rules.wastes)
        self._expect("|")
        stock = self._cards()
        recycles = self._recycles()
        reserve = self._reserve()
        cells, parked_goal = self._cells()
        self._expect("")
        self._require(sum(map(len, wastes)) + len(stock) <= rules.stock_size, "more cards in the talon than were dealt")
        layout = Layout(tuple(card or UNSEEN for card in tableau), parked_goal)
        return Parts(layout, self._shapes(tableau), wastes, stock, recycles, reserve, cells)

    def _tableau(self) -> list[Card | None]:
        places: list[Card | None] = []
        for number, peak in enumerate(self._rules.tableau):
            for row, length in enumerate(peak.row_lengths):
                if row or number:
                    self._expect("/" if row else "+")
                places += [self._place() for _ in range(length)]
        return places

    def _shapes(self, tableau: list[Card | None]) -> tuple[Shape, ...]:
        occupied = sum(1 << place for place, card in enumerate(tableau) if card is not None)
        families = shape_families(self._rules.tableau)
        reachable = all(family.is_reachable(occupied & family.full.occupied) for family in families)
        self._require(reachable, "a card is gone whose covers are still there")
        return tuple(family[occupied & family.full.occupied] for family in families)

    def _piles(self, count: int) -> Piles:
        piles = [self._cards()] if count else []
        while self._take(","):
            piles.append(self._cards())
        self._require(len(piles) == count, f"{self._rules.slug} has {count} piles here, not {len(piles)}")
        return tuple(piles)

    def _cards(self) -> tuple[Card, ...]:
        cards = []
        while self._is_place:
            card = self._place()
            self._require(card is not None, "a pile has no empty places")
            cards.append(card or UNSEEN)
        return tuple(cards)

    def _reserve(self) -> Piles:
        count, depth = self._rules.reserve
        if count:
            self._expect("r:")
        piles = self._piles(count)
        self._require(all(len(pile) <= depth for pile in piles), f"a reserve pile holds {depth}")
        return piles

    def _cells(self) -> tuple[tuple[Card, ...], list[Card]]:
        """Read the parked cards, and which of them count as tableau cards."""
        parked, goal = [], []
        if self._rules.cells:
            self._expect("c:")
        for _ in range(self._rules.cells):
            if card := self._place():
                self._require(card is not UNSEEN, "a parked card is always seen")
                parked.append(card)
                goal += [] if self._take(FROM_WASTE) else [card]
        return tuple(sorted(parked, key=lambda card: card.text)), goal

    def _recycles(self) -> int | None:
        left = self._rules.recycles
        if left is None:
            self._expect("*")
            return None
        # The length first: Python refuses to read a number of thousands of digits.
        fits = self._token.isdecimal() and len(self._token) <= len(str(left)) and int(self._token) <= left
        self._require(fits, f"a number of recycles, at most {left}, was expected before {self._token or 'the end'!r}")
        recycles = int(self._token)
        self._read_token()
        return recycles

    def _place(self) -> Card | None:
        self._require(self._is_place, f"a card or -- was expected before {self._token or 'the end'!r}")
        (place,) = read_places(self._token, decks=self._rules.decks)
        self._read_token()
        return place

    def _expect(self, mark: str) -> None:
        self._require(self._take(mark), f"{mark or 'the end'!r} was expected before {self._token or 'the end'!r}")

    def _take(self, mark: str) -> bool:
        found = not self._is_place and self._token.lower() == mark
        if found and mark:
            self._read_token()
        return found

    def _read_token(self) -> None:
        token = _TOKEN.match(self._text, self._end)
        if token is None:
            raise NotationError(f"{self._text[self._end :][:8]!r} is not a part of a position: {self._text!r}")
        self._end = token.end()
        self._is_place = token["place"] is not None
        self._token = token["place"] or token["mark"]

    def _require(self, holds: bool, reason: str) -> None:
        if not holds:
            raise NotationError(f"{reason}: {self._text!r}")
