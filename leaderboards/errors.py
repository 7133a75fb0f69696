"""The refusals of this package; see `games.kit.errors`."""

from __future__ import annotations

from http import HTTPStatus
from typing import ClassVar

from games.kit.errors import Refusal


class UnknownBoard(Refusal):
    """There is no board with this name, or its deal has not opened yet."""

    code = "unknown_board"
    status = HTTPStatus.NOT_FOUND


class UnknownSeason(Refusal):
    """There is no season with this name, or it is not closed yet."""

    code = "unknown_season"
    status = HTTPStatus.NOT_FOUND


class UnknownLeague(Refusal):
    """There is no such group of the leagues, or its week has no groups yet."""

    code = "unknown_league"
    status = HTTPStatus.NOT_FOUND


class NotOnBoard(Refusal):
    """The player has no entry on the board."""

    code = "not_on_board"
    status = HTTPStatus.NOT_FOUND


class BadCursor(Refusal):
    """The cursor is not one that this server made for this board."""

    code = "bad_cursor"
    status = HTTPStatus.BAD_REQUEST


class NotSealed(Refusal):
    """The results of the day are not sealed yet, or do not include the game."""

    code = "not_sealed"
    status = HTTPStatus.NOT_FOUND


class NotReportable(Refusal):
    """The score cannot be reported: it is the reporter's own, or on no board."""

    code = "not_reportable"


class NotAppealable(Refusal):
    """There is nothing to appeal against, or an appeal was made before."""

    code = "not_appealable"


class AppealTooLate(Refusal):
    """The time for an appeal is over."""

    code = "appeal_too_late"


class ReviewError(Exception):
    """A refusal of a reviewer's step; the text says why, `status` is that of the page that shows it."""

    code: ClassVar[str]
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT


class UnknownCase(ReviewError):
    """There is no such case, or none for this reviewer."""

    code = "unknown_case"
    status = HTTPStatus.NOT_FOUND


class NotAllowed(ReviewError):
    """The reviewer lacks the permission, or was already involved in the case."""

    code = "not_allowed"
    status = HTTPStatus.FORBIDDEN


class CaseTaken(ReviewError):
    """Somebody else has the case; the text says who, and since when."""

    code = "case_taken"


class NotTaken(ReviewError):
    """The reviewer does not hold the case, or no longer holds it."""

    code = "not_taken"


class BoardsMoved(ReviewError):
    """The boards have changed since the reviewer looked at the preview."""

    code = "boards_moved"


class BadDecision(ReviewError):
    """The decision does not fit the case, or its reason does not fit the decision."""

    code = "bad_decision"
    status = HTTPStatus.BAD_REQUEST


class LogBroken(ReviewError):
    """The decision log does not match its hash chain; decisions are locked until it has been investigated."""

    code = "log_broken"


class DayIsFinal(Exception):
    """The decision would change ranks on a final day, which takes two reviewers."""
