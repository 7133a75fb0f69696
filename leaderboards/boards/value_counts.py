"""Counts of the values on boards, kept at a version: a histogram then reads only what has changed since."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from django.db.models import F, Min, QuerySet
from django.db.models.functions import Coalesce

from leaderboards.boards.models import Board, Entry, ValueCounts
from leaderboards.boards.ranking.view import VERIFIED, View, changed
from leaderboards.boards.sort_keys import Order

MOST_UNCOUNTED = 500  # versions
READ_TOGETHER = 5000


class Kind(NamedTuple):
    """A value in units of its field, and what a histogram may ask of the entries that have it."""

    value: int
    is_won: bool
    is_verified: bool


def counts_of(view: View, field: str) -> Counter[Kind]:
    """Count the values of a field in a view."""
    order = view.board.key.order
    if view.among is not None:
        return _count(view.entries().order_by(), order, field)
    kept = ValueCounts.objects.filter(board=view.board.pk, field=field).first()
    held, counts = (kept.version, _read(kept)) if kept else (0, Counter[Kind]())
    gone, come = (_count(rows, order, field) for rows in changed(view.board, *sorted((held, view.version))))
    return counts + come - gone if held <= view.version else counts + gone - come


def count_boards(now: datetime) -> None:
    """Keep the counts of the boards that have changed much since."""
    large = Board.objects.filter(version__gte=MOST_UNCOUNTED)
    counted = large.annotate(counted=Coalesce(Min("value_counts__version"), 0))
    for board in counted.filter(version__gte=F("counted") + MOST_UNCOUNTED):
        keep_counts(board)


def keep_counts(board: Board) -> None:
    """Keep the counts of a board at its version. Of two workers either may be the last: both counts are true."""
    view = View(board, board.version)
    rows = [
        ValueCounts(board=board, field=field, version=view.version, counts=[[*kind, number] for kind, number in counts])
        for field, counts in ((field, counts_of(view, field).items()) for field in board.key.order.fields)
    ]
    ValueCounts.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["board", "field"], update_fields=["version", "counts"]
    )


def discard_counts(boards: Iterable[Board]) -> None:
    """Have the worker count all entries of boards again, instead of those that have changed."""
    ValueCounts.objects.filter(board__in=boards).delete()


def mistakes_in_counts(board: Board) -> Iterator[str]:
    """Yield a mistake for each field whose kept counts are not those of the entries of their version."""
    for kept in board.value_counts.all():
        entries = View(board, kept.version).entries().order_by()
        if _read(kept) != _count(entries, board.key.order, kept.field):
            yield f"the counts of {kept.field} at version {kept.version} are not those of its entries"


def _read(kept: ValueCounts) -> Counter[Kind]:
    return Counter({Kind(*kind): number for *kind, number in kept.counts})


def _count(entries: QuerySet[Entry], order: Order, field: str) -> Counter[Kind]:
    [unit] = [term.unit for term in order.terms if term.name == field]
    counts = Counter[Kind]()
    for key, state in entries.values_list("key", "state").iterator(READ_TOGETHER):
        values = order.unpack(key)
        counts[Kind(values[field] // unit, values.get("cards_left") == 0, state in VERIFIED)] += 1
    return counts
