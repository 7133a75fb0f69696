"""Ranks by SQL: exact for every view. Counting what is ahead takes time in proportion to it; pages do not."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from leaderboards.models import Entry
from leaderboards.ranking.view import Mark, Place, View, numbered


def count(view: View) -> int:
    return view.entries().count()


def top(view: View, limit: int) -> list[Place]:
    return numbered(_marks(view.entries()[:limit]), 1, 1)


def place_of(view: View, mark: Mark, entry: int) -> Place:
    rank = 1 + view.entries().filter(key__lt=mark.key).count()
    tied = view.entries().filter(key=mark.key, entered__lt=mark.entered).count()
    return Place(rank + tied, rank, mark, entry)


def around(view: View, mark: Mark, entry: int, limit: int) -> list[Place]:
    ahead = list(_marks(view.entries().filter(_ahead_of(mark)).reverse()[: limit // 2]))[::-1]
    page = ahead + list(_marks(view.entries().exclude(_ahead_of(mark)).filter(key__gte=mark.key)[: limit - len(ahead)]))
    first = place_of(view, *page[0])
    return numbered(page, first.place, first.rank)


def after(view: View, last: Place, limit: int) -> list[Place]:
    """Return the places that follow one; the cost does not depend on how deep it lies."""
    following = view.entries().filter(Q(key__gt=last.mark.key) | Q(key=last.mark.key, entered__gt=last.mark.entered))
    page = [(last.mark, last.entry), *_marks(following.filter(key__gte=last.mark.key)[:limit])]
    return numbered(page, last.place, last.rank)[1:]


def _ahead_of(mark: Mark) -> Q:
    # The first condition says nothing new, but it bounds the range that is read from the index.
    return Q(key__lte=mark.key) & (Q(key__lt=mark.key) | Q(entered__lt=mark.entered))


def _marks(entries: QuerySet[Entry]) -> list[tuple[Mark, int]]:
    return [(Mark(key, entered), pk) for key, entered, pk in entries.values_list("key", "entered", "pk")]
