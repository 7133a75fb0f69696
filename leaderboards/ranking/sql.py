"""Ranks by SQL: exact for every view. Counting what is ahead takes time in proportion to it; pages do not."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from leaderboards.models import Entry
from leaderboards.ranking.view import Place, SortKey, View, numbered


def count(view: View) -> int:
    return view.entries().count()


def top(view: View, limit: int) -> list[Place]:
    return numbered(_sort_keys(view.entries()[:limit]), 1, 1)


def place_of(view: View, sort_key: SortKey, entry: int) -> Place:
    rank = 1 + view.entries().filter(key__lt=sort_key.key).count()
    tied = view.entries().filter(key=sort_key.key, entered_at_version__lt=sort_key.entered_at_version).count()
    return Place(rank + tied, rank, sort_key, entry)


def around(view: View, sort_key: SortKey, entry: int, limit: int) -> list[Place]:
    ahead = list(_sort_keys(view.entries().filter(_ahead_of(sort_key)).reverse()[: limit // 2]))[::-1]
    page = ahead + list(
        _sort_keys(view.entries().exclude(_ahead_of(sort_key)).filter(key__gte=sort_key.key)[: limit - len(ahead)])
    )
    first = place_of(view, *page[0])
    return numbered(page, first.place, first.rank)


def after(view: View, last: Place, limit: int) -> list[Place]:
    """Return the places that follow one; the cost does not depend on how deep it lies."""
    following = view.entries().filter(
        Q(key__gt=last.sort_key.key) | Q(key=last.sort_key.key, entered_at_version__gt=last.sort_key.entered_at_version)
    )
    page = [(last.sort_key, last.entry), *_sort_keys(following.filter(key__gte=last.sort_key.key)[:limit])]
    return numbered(page, last.place, last.rank)[1:]


def _ahead_of(sort_key: SortKey) -> Q:
    # The first condition says nothing new, but it bounds the range that is read from the index.
    return Q(key__lte=sort_key.key) & (Q(key__lt=sort_key.key) | Q(entered_at_version__lt=sort_key.entered_at_version))


def _sort_keys(entries: QuerySet[Entry]) -> list[tuple[SortKey, int]]:
    return [(SortKey(key, entered), pk) for key, entered, pk in entries.values_list("key", "entered_at_version", "pk")]
