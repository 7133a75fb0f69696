from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class NotCertifiable(Refusal):
    """Deals of this rule set take too long to solve for a race or a choice of grades."""

    reason = _("Deals of these rules take too long to solve for a race or a choice of grades.")
    example = "whether deals of two-pyramids can be won takes too long to decide"


class NoCertifiedDeal(Refusal):
    """No certified deal of this grade that is new to the player is in stock; the message says which grades are."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
    reason = _("No such deal is ready. Try another difficulty, or try again in a minute.")
    example = "no easy deal of classic that is new to you is ready; take one that is hard"
