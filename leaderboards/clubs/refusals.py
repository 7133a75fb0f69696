from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal
from games.players.refusals import NameReserved


class ClubNameReserved(NameReserved):
    """The name of a club could be taken for that of the server or its staff."""

    field = "name"


class UnknownClub(Refusal):
    """There is no such club, or it has no members any more."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no such club, or it has no members any more.")
    example = "there is no club '2x9k4m7vq1ht'"


class ClubNameTaken(Refusal):
    """Another club has the name, or one that looks like it."""

    field = "name"
    reason = _("Another club has this name, or one that looks like it.")
    example = "another club has the name 'Oxbow Club', or one that looks like it"


class GuestsFoundNoClubs(Refusal):
    """A guest cannot found a club; claim the account first."""

    reason = _("Claim your account to found a club.")
    example = "a guest cannot found a club; claim the account first"


class TooManyClubs(Refusal):
    """The player is in, or has asked to join, the maximum number of clubs; leave one first."""

    reason = _("You are in as many clubs as a player can be. Leave one first.")
    example = "you are in 10 clubs; leave one first"


class ClubFull(Refusal):
    """The club has as many members as a club may have."""

    reason = _("This club is full.")
    example = "this club has 500 members, and no room for more"


class ByInvitation(Refusal):
    """The club takes only players whom it has invited."""

    reason = _("This club takes only players whom it has invited.")
    example = "this club takes only players whom it has invited"


class BannedFromClub(Refusal):
    """The club has banned the player."""

    reason = _("This club has banned this player.")
    example = "this club has banned this player"


class NotInClub(Refusal):
    """The player is not a member of the club, or has not asked to be one."""

    reason = _("This player is not a member of the club, or has not asked to be one.")
    example = "'dave' is not a member of this club"


class NotOfficer(Refusal):
    """The member's role in the club is too low for this."""

    reason = _("Your role in the club does not allow this.")
    example = "only the owner of this club can do that"


class UnknownDuel(Refusal):
    """There is no such duel that the club could answer."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no such duel.")
    example = "no such duel waits for this club"


class DuelImpossible(Refusal):
    """The week is not one of the next eight, has no such table, or the clubs have that duel already, or are one."""

    reason = _("These clubs cannot have that duel.")
    example = "2026-W47 is not one of the next 8 weeks"


class DuelAnswered(Refusal):
    """The duel is answered already, or its week has begun."""

    reason = _("This duel is answered already, or its week has begun.")
    example = "this duel is answered already, or its week has begun"


class TooManyDuels(Refusal):
    """The club has proposed the maximum number of duels that are not answered yet; withdraw one first."""

    reason = _("Your club has proposed as many duels as it can. Withdraw one first, or wait for an answer.")
    example = "5 duels that this club proposed are not answered yet"


class TooManyMuted(Refusal):
    """The player has muted the maximum number of players; unmute one first."""

    reason = _("You have muted as many players as you can. Show the notices of one of them first.")
    example = "you have muted 200 players; unmute one first"


class ClubNameRemoved(Refusal):
    """Reviewers have removed the name from a club, and no club can have it."""

    field = "name"
    reason = _("Reviewers have removed this name. Choose another one.")
    example = "reviewers have removed the name 'Oxbow Club'"


class GuestsReportNoClubs(Refusal):
    """A guest cannot report a club; claim the account first."""

    reason = _("Claim your account to report a club.")
    example = "a guest cannot report a club; claim the account first"
