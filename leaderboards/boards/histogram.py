"""Histograms of the scores of a board."""

from collections import Counter
from typing import Annotated, cast

from msgspec import Meta

from games.doors.wire import JsonObject, Number
from leaderboards.boards.catalog import OrderField
from leaderboards.boards.ranking.view import View
from leaderboards.boards.value_counts import counts_of


class Histogram(JsonObject, frozen=True):
    """Bin i counts the values from `start + i * width` up to, but not including, the start of the next bin."""

    field: OrderField
    start: Annotated[int, Meta(ge=0)]
    width: Annotated[int, Meta(ge=1)]
    counts: list[Number]


def histogram(view: View, field: str, most_bins: int, *, won: bool = False) -> Histogram:
    """Count the entries by a field of the board's order, in a limited number of bins of equal width.

    With `won`, only those without cards left count, which the order has to know.
    """
    [unit] = [term.unit for term in view.board.key.order.terms if term.name == field]
    values = Counter[int]()
    for kind, number in counts_of(view, field).items():
        if (kind.is_won or not won) and (kind.is_verified or not view.verified_only):
            values[kind.value] += number
    if not values:
        return Histogram(cast("OrderField", field), 0, unit, [])
    start, last = min(values), max(values)
    width = -(-(last - start + 1) // most_bins)
    bins = [0] * ((last - start) // width + 1)
    for value, number in values.items():
        bins[(value - start) // width] += number
    return Histogram(cast("OrderField", field), start * unit, width * unit, bins)
