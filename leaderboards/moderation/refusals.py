"""The refusals of reports and appeals, and those of the steps of reviewers."""

from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal
from leaderboards.boards.refusals import ModerationError


class NotReportable(Refusal):
    """The score cannot be reported: it is the reporter's own, or on no board."""

    reason = _("You cannot report this score: it is your own, or stands on no table.")
    example = "this is your own score"


class UnknownDecision(Refusal):
    """There is no decision about you with this number."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no such decision about you.")
    example = "there is no decision about you with the number 812"


class NotAppealable(Refusal):
    """The decision cannot be appealed, or an appeal was made before."""

    reason = _("There is nothing to appeal against, or you have appealed before.")
    example = "you have appealed against this decision before"


class AppealTooLate(Refusal):
    """The time for an appeal is over."""

    reason = _("The time for an appeal is over.")
    example = "the time for an appeal ended at 2026-12-05T17:02:00+00:00"


class UnknownCase(ModerationError):
    """There is no such case, or none for this reviewer."""

    code = "unknown_case"
    status = HTTPStatus.NOT_FOUND


class NotAllowed(ModerationError):
    """The reviewer lacks the permission, or was already involved in the case."""

    code = "not_allowed"
    status = HTTPStatus.FORBIDDEN


class CaseTaken(ModerationError):
    """Somebody else has the case; the text says who, and since when."""

    code = "case_taken"


class NotTaken(ModerationError):
    """The reviewer does not hold the case, or no longer holds it."""

    code = "not_taken"


class BadDecision(ModerationError):
    """The decision does not fit the case, or its reason does not fit the decision."""

    code = "bad_decision"
    status = HTTPStatus.BAD_REQUEST


class LogBroken(ModerationError):
    """The decision log does not match the transparency log; decisions are locked until it has been investigated."""

    code = "log_broken"
