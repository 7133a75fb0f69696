from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal
from games.players.refusals import NameReserved


class UnknownCup(Refusal):
    """There is no such cup."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no such cup.")
    example = "there is no cup '2x9k4m7vq1hs'"


class CupNotOpen(Refusal):
    """The qualification of the cup has not begun, or it is over."""

    reason = _("Nobody can enter now: this cup has begun or is over, or its qualification has not begun.")
    example = "the qualification of this cup is over"


class NotYourCup(Refusal):
    """People and bots have separate cups."""

    reason = _("People and bots have separate cups.")
    example = "this cup is for people; bots have cups of their own"


class ByLetters(Refusal):
    """The tournament takes those who have its six letters."""

    reason = _("This tournament takes those who have its six letters.")
    example = "this tournament takes those who have its six letters"


class CupFull(Refusal):
    """The tournament has 64 entrants."""

    reason = _("This tournament is full.")
    example = "this tournament has 64 entrants, and no room for more"


class RemovedFromCup(Refusal):
    """The organiser of the tournament has removed the player."""

    reason = _("The organiser has removed you from this tournament.")
    example = "the organiser of this tournament has removed you"


class CannotHost(Refusal):
    """Guests, bots and banned players announce no tournaments."""

    reason = _("Guests, bots and banned players cannot announce a tournament.")
    example = "guests, bots and banned players announce no tournaments"


class TooManyCups(Refusal):
    """The player has the maximum number of tournaments that are not over."""

    reason = _("You have as many tournaments as a player can have at a time.")
    example = "you have 3 tournaments that are not over"


class StartOutOfRange(Refusal):
    """A tournament starts within the next thirty days."""

    field = "opens_at"
    reason = _("A tournament starts within the next thirty days.")
    example = "a tournament starts within the next 30 days"


class CupNameReserved(NameReserved):
    """The name of a tournament could be taken for that of the server or its staff."""

    field = "name"


class CupNameRemoved(Refusal):
    """Reviewers have removed the name from a tournament, and none can have it."""

    field = "name"
    reason = _("Reviewers have removed this name. Choose another one.")
    example = "reviewers have removed the name 'Oxbow Open'"


class TooFewEntrants(Refusal):
    """A tournament starts with two entrants or more."""

    reason = _("A tournament starts with two entrants or more.")
    example = "a tournament starts with 2 entrants or more"


class NotOrganiser(Refusal):
    """Only the organiser of a tournament can do that, and only before it begins."""

    reason = _("Only the organiser can do that.")
    example = "only the organiser of this tournament can do that"
