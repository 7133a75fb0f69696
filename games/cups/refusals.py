from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class UnknownCup(Refusal):
    """There is no such cup."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no such cup.")
    example = "there is no cup '2x9k4m7vq1hs'"


class CupNotOpen(Refusal):
    """The qualification of the cup has not begun, or it is over."""

    reason = _("Nobody can enter this cup now. Its qualification has not begun, or it is over.")
    example = "the qualification of this cup is over"


class NotYourCup(Refusal):
    """People and bots have separate cups."""

    reason = _("People and bots have separate cups.")
    example = "this cup is for people; bots have cups of their own"
