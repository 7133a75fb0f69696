from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class GuestsReportNoCups(Refusal):
    """A guest cannot report a tournament; claim the account first."""

    reason = _("Claim your account to report a tournament.")
    example = "a guest cannot report a tournament; claim the account first"
