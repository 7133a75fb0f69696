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


class UnknownRun(Refusal):
    """You have no such streak or storm."""

    status = HTTPStatus.NOT_FOUND
    reason = _("You have no such streak or storm.")
    example = "you have no run 0123456789ab"


class RunOver(Refusal):
    """The streak or storm is over, so that nothing more counts in it."""

    reason = _("This one is over.")
    example = "the run 0123456789ab is over"


class StalePuzzle(Refusal):
    """The streak or storm shows another puzzle by now, or another position of it: read it again."""

    reason = _("It went on elsewhere. Load the page again.")
    example = "the run shows puzzle 4 after 0 removals"


class PuzzleInRun(Refusal):
    """Your own streak or storm shows this puzzle, so that it is judged there alone."""

    reason = _("Your streak or storm shows this puzzle: solve it there.")
    example = "your run shows the puzzle 0123456789"
