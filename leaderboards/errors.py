"""Why a question about score tables is refused; `games.errors` says what a refusal is."""

from __future__ import annotations

from http import HTTPStatus

from games.kit.errors import Refusal


class UnknownBoard(Refusal):
    """There is no board of this name, or its deal has not opened yet."""

    code = "unknown_board"
    status = HTTPStatus.NOT_FOUND


class NotOnBoard(Refusal):
    """The player has no entry on the board."""

    code = "not_on_board"
    status = HTTPStatus.NOT_FOUND


class BadCursor(Refusal):
    """The cursor was not made by this server for this board."""

    code = "bad_cursor"
    status = HTTPStatus.BAD_REQUEST


class NotSealed(Refusal):
    """The results of the day are not sealed yet, or the game is not among them."""

    code = "not_sealed"
    status = HTTPStatus.NOT_FOUND


class DayIsFinal(Exception):
    """What would move ranks on a final day was decided by one reviewer alone."""
