"""The refusals of this package, a class and a code each. Errors of the rules are in `games.rules.errors`."""

from __future__ import annotations

from http import HTTPStatus

from games.kit.errors import Refusal, status_of
from games.rules import RulesError


class StaleVersion(Refusal):
    """The action was chosen at a different version of the game than the current one."""

    code = "stale_version"


class TooManyActions(Refusal):
    """The game has reached the maximum number of actions, far more than any play needs; it can only be resigned."""

    code = "too_many_actions"


class Conflict(Refusal):
    """The game was changed elsewhere at the same moment; this action was not stored."""

    code = "conflict"


class UndoNotAllowed(Refusal):
    """Undo and redo are disabled in this game."""

    code = "undo_not_allowed"
    status = HTTPStatus.FORBIDDEN


class NotBegun(Refusal):
    """The game has not begun. Read its state first: that starts the clock."""

    code = "not_begun"


class HintsNotAllowed(Refusal):
    """Hints are disabled in this game."""

    code = "hints_not_allowed"
    status = HTTPStatus.FORBIDDEN


class RestartNotAllowed(Refusal):
    """The policy of this game does not allow a restart; ranked attempts usually cannot be restarted."""

    code = "restart_not_allowed"
    status = HTTPStatus.FORBIDDEN


class AlreadyAttempted(Refusal):
    """The player has used every ranked attempt at this daily deal; `game` names the last one."""

    code = "already_attempted"

    def __init__(self, message: str, game: str) -> None:
        super().__init__(message)
        self.game = game

    @property
    def details(self) -> dict[str, str]:
        return {"game": self.game}


class AlreadySeenByStaff(Refusal):
    """The player is a staff member who has looked at the secrets of the deal."""

    code = "already_seen_by_staff"
    status = HTTPStatus.FORBIDDEN


class NoOpenDaily(Refusal):
    """No daily deal of this rule set is open."""

    code = "no_open_daily"
    status = HTTPStatus.NOT_FOUND


class UnknownDaily(Refusal):
    """There is no daily deal for this date and rule set, or it has not opened yet."""

    code = "unknown_daily"
    status = HTTPStatus.NOT_FOUND


class UnknownGame(Refusal):
    """There is no such game."""

    code = "unknown_game"
    status = HTTPStatus.NOT_FOUND


class UnknownPlayer(Refusal):
    """There is no player with this handle, or the account is closed."""

    code = "unknown_player"
    status = HTTPStatus.NOT_FOUND


class NotYours(Refusal):
    """The game belongs to another player and is not public yet."""

    code = "not_yours"
    status = HTTPStatus.FORBIDDEN


class BadHandle(Refusal):
    """The text is not a valid handle."""

    code = "bad_handle"
    status = HTTPStatus.BAD_REQUEST


class NameReserved(Refusal):
    """The display name could be taken for that of the server or its staff."""

    code = "name_reserved"


class HandleReserved(Refusal):
    """The handle could be mistaken for the server or its staff."""

    code = "handle_reserved"


class HandleTaken(Refusal):
    """Another account has the handle."""

    code = "handle_taken"


class WeakPassword(Refusal):
    """The password is too easy to guess; the message says why."""

    code = "weak_password"
    status = HTTPStatus.BAD_REQUEST


class AlreadyClaimed(Refusal):
    """The account is no longer a guest account."""

    code = "already_claimed"


class SignInFailed(Refusal):
    """No account matches this handle and password."""

    code = "sign_in_failed"
    status = HTTPStatus.UNAUTHORIZED


class WrongPassword(SignInFailed):
    """It is not the password of the player who is signed in."""


class GuestAccount(Refusal):
    """The account has no password yet."""

    code = "guest_account"


class NoMail(Refusal):
    """This server sends no mail."""

    code = "no_mail"


class BadMailAddress(Refusal):
    """The text is not a mail address."""

    code = "bad_mail_address"
    status = HTTPStatus.BAD_REQUEST


class UnknownKey(Refusal):
    """The player has no such session or token."""

    code = "unknown_key"
    status = HTTPStatus.NOT_FOUND


class TooManyKeys(Refusal):
    """The player has as many tokens as an account may have; end one first."""

    code = "too_many_keys"


class UnknownBot(Refusal):
    """The player owns no such bot."""

    code = "unknown_bot"
    status = HTTPStatus.NOT_FOUND


class CannotOwnBots(Refusal):
    """Bots and banned players cannot own bots."""

    code = "cannot_own_bots"
    status = HTTPStatus.FORBIDDEN


class TooManyBots(Refusal):
    """The player owns the maximum number of bots; delete one first."""

    code = "too_many_bots"


class UnknownExport(Refusal):
    """The player has no export that is ready."""

    code = "unknown_export"
    status = HTTPStatus.NOT_FOUND


class ReviewNotYet(Refusal):
    """The game is not public yet; a review would reveal its unseen cards."""

    code = "review_not_yet"


class UnknownDeal(Refusal):
    """There is no such deal."""

    code = "unknown_deal"
    status = HTTPStatus.NOT_FOUND


class DealNotYet(Refusal):
    """The deal is not open to the player yet.

    Its day is not over, and the player has no ranked attempt at it, or another one left, or its policy keeps it from
    practice; or no practice game on it has ended.
    """

    code = "deal_not_yet"


class TooManyGames(Refusal):
    """The player has started as many practice games as a day allows; wait, they refill one at a time."""

    code = "too_many_games"
    status = HTTPStatus.TOO_MANY_REQUESTS


class TooManyOpenGames(Refusal):
    """The player has reached the limit of unfinished practice games; finish or resign one."""

    code = "too_many_open_games"


class NotCertifiable(Refusal):
    """Deals of this rule set take too long to solve, so none is certified."""

    code = "not_certifiable"


class NoCertifiedDeal(Refusal):
    """No certified deal that is new to the player is in stock, and none was found in time. Try again."""

    code = "no_certified_deal"
    status = HTTPStatus.SERVICE_UNAVAILABLE


class UnknownRace(Refusal):
    """There is no such race, or it is not public and the player has no invite to it."""

    code = "unknown_race"
    status = HTTPStatus.NOT_FOUND


class NotInRace(Refusal):
    """The player is not one of the racers."""

    code = "not_in_race"


class NotHost(Refusal):
    """Only the host of a race can start it."""

    code = "not_host"


class RaceStarted(Refusal):
    """The race has started or is over, so nobody can join it any more."""

    code = "race_started"


class RaceNotOver(Refusal):
    """The race is not over, so there is no rematch yet."""

    code = "race_not_over"


class RaceFull(Refusal):
    """The race has as many racers as a race may have."""

    code = "race_full"


class TooFewRacers(Refusal):
    """A race starts with two racers or more."""

    code = "too_few_racers"


class BotsNotAdmitted(Refusal):
    """The race does not admit bots."""

    code = "bots_not_admitted"


class TooManyRaces(Refusal):
    """The player hosts, or is in, the maximum number of races; leave one first, or wait for one to end."""

    code = "too_many_races"


RULES_STATUS: dict[str, HTTPStatus] = {
    "bad_notation": HTTPStatus.BAD_REQUEST,
    "damaged_log": HTTPStatus.INTERNAL_SERVER_ERROR,
    "unknown_rule_set": HTTPStatus.NOT_FOUND,
    "illegal_move": HTTPStatus.CONFLICT,
    "game_over": HTTPStatus.CONFLICT,
}


@status_of.register
def _(error: RulesError) -> HTTPStatus:
    return RULES_STATUS[error.code]
