"""Histograms of the scores of a board."""

from math import prod
from typing import Annotated, cast

from django.db.models import Count, F, Max, Min
from django.db.models.expressions import Combinable
from msgspec import Meta

from games.doors.wire import JsonObject, Number
from leaderboards.boards.catalog import OrderField
from leaderboards.boards.ranking.view import View
from leaderboards.boards.sort_keys import Order


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
    order = view.board.key.order
    values = view.entries().order_by().annotate(value=_value(order, field))
    if won:
        values = values.alias(left=_value(order, "cards_left")).filter(left=0)
    ends = values.aggregate(low=Min("value"), high=Max("value"))
    if ends["low"] is None:
        return Histogram(cast("OrderField", field), 0, 1, [])
    start = ends["low"]
    width = -(-(ends["high"] - start + 1) // most_bins)
    bins = values.annotate(bin=(F("value") - start) / width).values("bin").annotate(entries=Count("*"))
    counted = dict(bins.values_list("bin", "entries"))
    return Histogram(
        cast("OrderField", field), start, width, [counted.get(index, 0) for index in range(max(counted) + 1)]
    )


def _value(order: Order, name: str) -> Combinable:
    """Return the SQL expression for a field's value in the key, as `Order.unpack` computes it."""
    index = order.fields.index(name)
    field = order.terms[index]
    digit: Combinable = F("key") / prod(following.size for following in order.terms[index + 1 :]) % field.size
    return field.highest - digit if field.is_descending else digit
