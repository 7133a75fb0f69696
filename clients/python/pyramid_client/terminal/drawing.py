"""A table as lines of styled text."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import zip_longest
from typing import NamedTuple

from rich.text import Text

from pyramid_client.terminal.positions import GONE, UNSEEN, Row, Table

WIDTH = 5  # columns of a card with the space after it
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SEEN_OF_WASTE = 5


class Marks(NamedTuple):
    """The marks on a table: cards that can leave, the one pointed at, the one selected, and those of a hint."""

    free: Collection[str] = ()
    cursor: str = ""
    selected: str = ""
    hinted: Collection[str] = ()


def drawn(table: Table, marks: Marks) -> Text:
    """Return a table, with peaks side by side and the other piles below them."""
    peaks = [list(_peak(peak, marks)) for peak in table.peaks]
    widths = [max(len(row) for row in peak) * WIDTH for peak in table.peaks]
    lines = []
    for parts in zip_longest(*peaks):
        line = Text()
        for part, width in zip(parts, widths, strict=True):
            shown = part or Text()
            line.append_text(shown).append(" " * (width - len(shown) + 2))
        lines.append(line)
    return Text("\n").join([*lines, Text(), *_piles(table, marks)])


def _peak(peak: list[Row], marks: Marks) -> Iterator[Text]:
    widest = max(len(row) for row in peak)
    for row in peak:
        line = Text(" " * ((widest - len(row)) * WIDTH // 2))
        for card in row:
            line.append_text(_card(card, marks)).append(" ")
        yield line


def _piles(table: Table, marks: Marks) -> Iterator[Text]:
    turns = "" if table.recycles == "0" else f" ↻{'' if table.recycles == '*' else table.recycles}"
    line = Text(f"stock {len(table.stock)}{turns} ")
    if table.stock and table.stock[0] != UNSEEN:
        line.append_text(_card(table.stock[0], marks))
    yield line
    for number, waste in enumerate(table.wastes, 1):
        yield _pile(f"waste {number}" if len(table.wastes) > 1 else "waste", waste, marks)
    for number, pile in enumerate(table.reserve, 1):
        yield _pile(f"reserve {number}", pile, marks)
    if table.cells:
        yield _pile("cells", table.cells, marks)


def _pile(name: str, cards: Row, marks: Marks) -> Text:
    line = Text(f"{name} {len(cards)} ")
    for card in cards[-SEEN_OF_WASTE:]:
        line.append_text(_card(card, marks))
    return line


def _card(card: str, marks: Marks) -> Text:
    """Return a card in four columns: marks are signs as well as styles, since a terminal may have no colours."""
    if card in {GONE, UNSEEN}:
        return Text(" ·  " if card == GONE else " ▒▒ ", style="dim")
    face = ("10" if card[0] == "T" else f" {card[0]}")[-2:] + SUITS[card[1].lower()]
    style = "red" if card[1].lower() in "dh" else ""
    style += " bold" if card in marks.free else " dim"
    if card == marks.selected:
        return Text(f"[{face}"[:4], style=f"{style} reverse")
    if card == marks.cursor:
        return Text(f">{face}"[:4], style=f"{style} reverse")
    return Text(f"*{face}" if card in marks.hinted else f" {face}", style=style)
