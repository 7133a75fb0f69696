"""Cursors: signed marks of how far a reader has come, in which version of the board and in which view of it."""

from __future__ import annotations

from typing import Any

from django.core import signing

from leaderboards.errors import BadCursor
from leaderboards.models import Board
from leaderboards.ranking.view import Place, SortKey, View

_signer = signing.Signer(salt="leaderboards.cursor")


def cursor_after(view: View, count: int, last: Place) -> str:
    """Return the cursor of the rows that follow a place, of `count` in all."""
    among = list(view.among) if view.among is not None else None
    # Without the time, so that the same rows always have the same cursor.
    return _signer.sign_object(
        [
            view.board.slug,
            view.version,
            view.verified_only,
            among,
            count,
            last.place,
            last.rank,
            *last.sort_key,
            last.entry,
        ],
        compress=True,
    )


def read_cursor(text: str, board: Board) -> tuple[View, int, Place]:
    """Return what a cursor of this board stands for. Raises `BadCursor`."""
    try:
        values: list[Any] = _signer.unsign_object(text)
    except signing.BadSignature as error:
        raise BadCursor("this cursor was not made here") from error
    slug, version, verified_only, among, count, place, rank, key, entered, entry = values
    if slug != board.slug:
        raise BadCursor(f"this cursor is one of the board {slug}")
    view = View(board, version, verified_only, None if among is None else tuple(among))
    return view, count, Place(place, rank, SortKey(key, entered), entry)
