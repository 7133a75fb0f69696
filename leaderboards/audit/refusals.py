from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class NotSealed(Refusal):
    """The results of the day are not sealed yet, or do not include the game."""

    status = HTTPStatus.NOT_FOUND
    reason = _("The day is not final yet, or the game has no verified result.")
    example = "2026-11-21 is not sealed: it is not final, or nothing was played"
