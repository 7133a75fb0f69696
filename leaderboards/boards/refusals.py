from http import HTTPStatus
from typing import ClassVar

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class UnknownBoard(Refusal):
    """There is no board with this name, or its deal has not opened yet."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no such score table, or its deal has not opened yet.")
    example = "there is no board 'daily.yesterday'"


class NotOnBoard(Refusal):
    """The player has no entry on the board."""

    status = HTTPStatus.NOT_FOUND
    reason = _("The player has no entry on this score table.")
    example = "'mallory' is not on the board daily.2026-11-20.standard.open.fewest-moves"


class BadCursor(Refusal):
    """The cursor is not one that this server made for this board."""

    status = HTTPStatus.BAD_REQUEST
    reason = _("The link to the next rows of this score table is invalid. Open the table again.")
    example = "this cursor was not made here"


class DayIsFinal(Exception):
    """The decision would change ranks on a final day, which takes two reviewers."""


class ModerationError(Exception):
    """A refusal of a reviewer's step; the text says why, `status` is that of the page that shows it."""

    code: ClassVar[str]
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT


class BoardsMoved(ModerationError):
    """The boards have changed since the reviewer looked at the preview."""

    code = "boards_moved"
