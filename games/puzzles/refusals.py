from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class UnknownPuzzle(Refusal):
    """There is no such puzzle."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no such puzzle.")
    example = "there is no puzzle 0123456789"


class NotARemoval(Refusal):
    """The move takes no pyramid card, or cannot be played in the puzzle, however often one draws."""

    reason = _("These cards cannot leave here.")
    example = "4s9h cannot leave the pyramid here"
