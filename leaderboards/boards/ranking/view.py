"""Views of a board, and places in them."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from games.runtime.kept_queries import Given, Row, rows_of, sql_of
from leaderboards.boards.models import Board, Entry, EntryState
from leaderboards.boards.statements import any_of, numbers_as_text

Asking = Callable[..., QuerySet[Any, Any]]

VERIFIED = (EntryState.VERIFIED, EntryState.REINSTATED)
POSITION = ("key", "entered_at_version", "pk")
"""The fields of an entry's position."""


@dataclass(frozen=True)
class View:
    """A board at a version, perhaps narrowed to some players.

    Ranks are ranks within the view. `among` holds primary keys of players.
    """

    board: Board
    version: int
    verified_only: bool = False
    among: tuple[int, ...] | None = None

    @property
    def is_whole(self) -> bool:
        return not self.verified_only and self.among is None

    def entries(self) -> QuerySet[Entry]:
        """Return the entries in order."""
        return _entries(*self._given, verified_only=self.verified_only)

    def rows(self, ask: Asking, *given: Given, **shape: Hashable) -> list[Row]:
        """Return the rows of `ask(entries, *given, **shape)`, as `rows_of` does."""
        return rows_of(_asked, *self._given, *given, ask=ask, verified_only=self.verified_only, **shape)

    def sql(self, ask: Asking) -> tuple[str, list[Any]]:
        """Return the SQL of `ask(entries)`, as `sql_of` does."""
        return sql_of(_asked, *self._given, ask=ask, verified_only=self.verified_only)

    @cached_property
    def _given(self) -> tuple[int, int, str | None]:
        """The parameters of the SQL that finds its entries."""
        return self.board.pk, self.version, None if self.among is None else numbers_as_text(self.among)


def _asked(
    board: int, version: int, among: str | None, *given: Given, ask: Asking, verified_only: bool, **shape: Hashable
) -> QuerySet[Any, Any]:
    return ask(_entries(board, version, among, verified_only=verified_only), *given, **shape)


def _entries(board: int, version: int, among: str | None, *, verified_only: bool) -> QuerySet[Entry]:
    valid = Q(valid_to=None) | Q(valid_to__gt=version)
    entries = Entry.objects.filter(valid, board_id=board, listed=True, valid_from__lte=version)
    if verified_only:
        entries = entries.filter(state__in=VERIFIED)
    if among is not None:
        entries = entries.filter(player__in=any_of(among))
    return entries.order_by("key", "entered_at_version")


def changed(board: Board, before: int, after: int) -> tuple[QuerySet[Entry], QuerySet[Entry]]:
    """Return the entries of an earlier version that a later one lacks, and those that it has instead.

    Entries that came and went between the two versions are in neither.
    """
    listed = Entry.objects.filter(board_id=board.pk, listed=True).order_by()
    gone = listed.filter(valid_to__gt=before, valid_to__lte=after, valid_from__lte=before)
    remaining = Q(valid_to=None) | Q(valid_to__gt=after)
    return gone, listed.filter(remaining, valid_from__gt=before, valid_from__lte=after)


class SortKey(NamedTuple):
    """The position of an entry in the order, sufficient to continue from there."""

    key: int
    entered_at_version: int


class Position(NamedTuple):
    """An entry of a view: its sort key and its primary key."""

    sort_key: SortKey
    entry: int


class Place(NamedTuple):
    """An entry's place in the list and its rank, both from 1; equal keys share a rank (1, 2, 2, 4)."""

    place: int
    rank: int
    sort_key: SortKey
    entry: int


class Standings(NamedTuple):
    """The places of some entries of a view, and how many entries the view has in all."""

    total: int
    places: list[Place]


def position_of(entry: Entry) -> Position:
    return Position(SortKey(entry.key, entry.entered_at_version), entry.pk)


def ahead_of(sort_key: SortKey) -> Q:
    """Return the condition that finds the entries before a position."""
    # The first condition is redundant, but it bounds the range that is read from the index.
    return Q(key__lte=sort_key.key) & (Q(key__lt=sort_key.key) | Q(entered_at_version__lt=sort_key.entered_at_version))


def numbered(positions: Iterable[Position], place: int, rank: int) -> list[Place]:
    """Number consecutive entries, given the place and rank of the first."""
    places: list[Place] = []
    for number, (sort_key, entry) in enumerate(positions, place):
        if places:
            rank = places[-1].rank if places[-1].sort_key.key == sort_key.key else number
        places.append(Place(number, rank, sort_key, entry))
    return places
