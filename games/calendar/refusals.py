from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class UnknownDaily(Refusal):
    """There is no daily deal for this date and rule set, or it has not opened yet."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no such daily deal, or it has not opened yet.")
    example = "there is no daily deal on 2020-01-01"
