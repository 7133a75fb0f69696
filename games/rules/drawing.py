"""Draw a position for people, in plain text."""

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby, repeat, zip_longest

from games.rules.cards import UNSEEN, Card
from games.rules.layout import Piles
from games.rules.position import Position

PLACE_WIDTH = 4  # a card between brackets or spaces
LABEL_WIDTH = 11
LINE_WIDTH = 80


def draw(position: Position) -> str:
    """Draw the peaks side by side and below them every pile; the named rule sets fit into 80 columns.

    Cards that may be touched stand in `[ ]`; `..` is a place whose card is gone, `??` an unseen card. The stock begins
    with its next card, all other piles end with their top.
    """
    return "\n".join([*_tableau(position), "", *_piles(position)])


def _tableau(position: Position) -> Iterator[str]:
    touchable = {place for shape in position.shapes for place in shape.exposed}
    places = (_place(card, place in touchable) for place, card in enumerate(position.tableau))
    peaks = [
        ["".join(next(places) for _ in range(length)).center(peak.rows * PLACE_WIDTH) for length in peak.row_lengths]
        for peak in position.rules.tableau
    ]
    blanks = [" " * len(rows[0]) for rows in peaks]
    for row in zip_longest(*peaks):
        yield "  ".join(text or blank for text, blank in zip(row, blanks, strict=True)).rstrip()


def _piles(position: Position) -> Iterator[str]:
    rules = position.rules
    if rules.has_stock:
        yield from _numbered("waste", position.wastes)
        yield _line("stock", [_place(card, rules.stock_open and not n) for n, card in enumerate(position.stock)])
        yield _line("recycles", ["no limit" if position.recycles is None else str(position.recycles)])
    yield from _numbered("reserve", position.reserve)
    if rules.cells:
        free = (None,) * (rules.cells - len(position.cells))
        yield _line("cells", [_place(card, card is not None) for card in position.cells + free])


def _numbered(name: str, piles: Piles) -> Iterator[str]:
    for number, pile in enumerate(piles, 1):
        label = f"{name} {number}" if len(piles) > 1 else name
        yield _line(label, [_place(card, card is pile[-1]) for card in pile])


def _place(card: Card | None, touchable: bool) -> str:
    text = card.text if card else ".."
    return f"[{text}]" if touchable else f" {text} "


def _line(label: str, places: list[str]) -> str:
    """Write a pile after its label, on several lines if it is long."""
    text = " ".join(_counted(place.strip() for place in places))
    indent = " " * LABEL_WIDTH
    wrapped = textwrap.fill(text, LINE_WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    return label + wrapped[len(label) :]


def _counted(words: Iterable[str]) -> Iterator[str]:
    """Write unseen cards in a row as one word with their number."""
    for word, run in groupby(words):
        length = sum(1 for _ in run)
        if word == UNSEEN.text and length > 1:
            yield f"{word}x{length}"
        else:
            yield from repeat(word, length)
