from http import HTTPStatus
from typing import ClassVar

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


class NoDealForRace(NoCertifiedDeal):
    """The worker is searching for a deal for a race by these rules; `Retry-After` says when to ask again."""

    reason = _("Deals of these rules are being prepared for races. Try again in some seconds.")
    wait: ClassVar[int] = 9  # seconds; of a new server, until the solver is compiled
    example = "no winnable deal of giza is ready for a race; try again in some seconds"
