from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class UnknownSeason(Refusal):
    """There is no season with this name, or it is not closed yet."""

    status = HTTPStatus.NOT_FOUND
    reason = _("This season is not closed, or there is no such season.")
    example = "there is no season '2026-13.standard.main' that is closed"
