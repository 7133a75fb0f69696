"""The refusals of the steps of a retest: those of its player, and those of the reviewer who offers it."""

from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal
from leaderboards.boards.refusals import ModerationError


class UnknownRetest(Refusal):
    """There is no retest of yours with this id."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no such retest of yours.")
    example = "there is no retest 'k3m9x2p7w4tq' of yours"


class RetestNotOpen(Refusal):
    """The step is not possible in the state of the retest: it was answered before, is not accepted yet, or is over."""

    reason = _("That is not possible now: the retest was answered before, is not accepted yet, or is over.")
    example = "the retest is over"


class NotRetestable(ModerationError):
    """A retest cannot be offered in this case; the text says why."""

    code = "not_retestable"
