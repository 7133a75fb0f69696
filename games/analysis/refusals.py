from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class AnalysisNotYet(Refusal):
    """The game is not public yet; an analysis would reveal its unseen cards."""

    reason = _("A game can be analysed once it has ended and its day or race is over.")
    example = "the deal of game 26b7f3kq2m8p1xz can still be played"
