from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class UnknownExport(Refusal):
    """The player has no export that is ready."""

    status = HTTPStatus.NOT_FOUND
    reason = _("You have no copy of your data that is ready.")
    example = "there is no export of yours that is ready"
