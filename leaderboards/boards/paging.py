"""Cursors: signed positions in a view of a board at a version, from which a reader continues."""

from typing import Any

from django.core import signing

from leaderboards.boards.models import Board
from leaderboards.boards.ranking.view import Place, SortKey, View
from leaderboards.boards.refusals import BadCursor

_signer = signing.Signer(salt="leaderboards.cursor")


def cursor_after(view: View, count: int, last: Place) -> str:
    """Return the cursor of the rows after a place, out of `count`."""
    # Without the time, so that the same rows always have the same cursor.
    values = [view.board.slug, view.version, view.verified_only, view.among, count]
    return _signer.sign_object([*values, last.place, last.rank, *last.sort_key, last.entry], compress=True)


def read_cursor(text: str, board: Board) -> tuple[View, int, Place]:
    """Return the contents of a cursor of this board. Raises `BadCursor`."""
    try:
        values: list[Any] = _signer.unsign_object(text)
    except signing.BadSignature as error:
        raise BadCursor("this cursor was not made here") from error
    slug, version, verified_only, among, count, place, rank, key, entered, entry = values
    if slug != board.slug:
        raise BadCursor(f"this cursor is one of the board {slug}")
    view = View(board, version, verified_only, None if among is None else tuple(among))
    return view, count, Place(place, rank, SortKey(key, entered), entry)
