from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class UnknownRace(Refusal):
    """There is no such race, or it is not public and the player has no invite to it."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no such race, or you need its complete invite link.")
    example = "there is no race '2x9k4m7vq1hs', or you need its invite"


class NotInRace(Refusal):
    """The player is not one of the racers."""

    reason = _("You are not in this race.")
    example = "you are not in this race; join it first"


class NotHost(Refusal):
    """Only the host of a race can start it."""

    reason = _("Only the host of a race can do that.")
    example = "only the host can start this race"


class RaceStarted(Refusal):
    """The race has started or is over, so nobody can join it any more."""

    reason = _("The race has started, so nobody can join it any more.")
    example = "this race has started; nobody can join it any more"


class RaceNotOver(Refusal):
    """The race is not over, so there is no rematch yet."""

    reason = _("The race is not over yet.")
    example = "this race is not over; play again after it"


class RaceFull(Refusal):
    """The race has as many racers as a race may have."""

    reason = _("This race is full.")
    example = "this race has all its racers, and no room for more"


class TooFewRacers(Refusal):
    """A race starts with two racers or more."""

    reason = _("A race needs at least two racers.")
    example = "a race starts with 2 racers or more; send someone the invite"


class BotsNotAdmitted(Refusal):
    """The race does not admit bots."""

    reason = _("This race does not admit bots.")
    example = "this race does not admit bots"


class TooManyRaces(Refusal):
    """The player hosts, or is in, the maximum number of races; leave one first, or wait for one to end."""

    reason = _("You are in too many races. Leave one first, or wait for one to end.")
    example = "you host 3 races that are not over; leave one first"


class NotInCircle(Refusal):
    """The race or tournament is for members of a club; or it takes one of its officers."""

    reason = _("This is for members of the club, or takes one of its officers.")
    example = "this takes a member, or one who may speak for the members"
