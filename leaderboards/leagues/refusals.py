from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class UnknownLeague(Refusal):
    """There is no such group of the leagues, or its week has no groups yet."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no such group of the leagues, or its week has no groups yet.")
    example = "there is no group 9 of tier 2 in the week '2026-W48'"
