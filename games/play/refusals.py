"""The refusals of this subject, and how errors of the rules (`games.rules.errors`) are answered."""

from __future__ import annotations

from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal, declare
from games.rules import DamagedLog, GameOver, IllegalMove, NotationError, UnknownRuleSet


class StaleVersion(Refusal):
    """The action was chosen at a different version of the game than the current one."""

    reason = _("The game has moved on. Look at it again, then choose.")
    example = "the game is at version 1, not 0"


class TooManyActions(Refusal):
    """The game has reached the maximum number of actions, far more than any play needs; it can only be resigned."""

    reason = _("This game has had too many moves. You can only give it up.")
    example = "a game has at most 2000 actions; this one can only be resigned"


class Conflict(Refusal):
    """The game was changed elsewhere at the same moment; this action was not stored."""

    reason = _("Another of your devices did the same at the same moment. Try again.")
    example = "game 26b7f3kq2m8p1xz was changed elsewhere at the same moment"


class UndoNotAllowed(Refusal):
    """Undo and redo are disabled in this game."""

    status = HTTPStatus.FORBIDDEN
    reason = _("This game has no undo.")
    example = "undo is disabled in this game"


class NotBegun(Refusal):
    """The game has not begun. Read its state first: that starts the clock."""

    reason = _("The game has not begun.")
    example = "the game has not begun; read its state first"


class HintsNotAllowed(Refusal):
    """Hints are disabled in this game."""

    status = HTTPStatus.FORBIDDEN
    reason = _("This game has no hints.")
    example = "hints are disabled in this game"


class RestartNotAllowed(Refusal):
    """The policy of this game does not allow a restart; ranked attempts usually cannot be restarted."""

    status = HTTPStatus.FORBIDDEN
    reason = _("This game cannot be played again from the start.")
    example = "this game cannot be restarted"


class AlreadyAttempted(Refusal):
    """The player has used every ranked attempt at this daily deal; `game` names the last one."""

    reason = _("You have used all your ranked attempts at this deal.")
    example = "you have had your ranked attempt at this deal: game 26b5w9c2hq7dk4m"

    def __init__(self, message: str, game: str) -> None:
        super().__init__(message)
        self.game = game

    @property
    def details(self) -> dict[str, str]:
        return {"game": self.game}

    @classmethod
    def sample(cls) -> AlreadyAttempted:
        return cls(cls.example, cls.example.rsplit(" ", 1)[1])


class AlreadySeenByStaff(Refusal):
    """The player is a staff member who has looked at the secrets of the deal."""

    status = HTTPStatus.FORBIDDEN
    reason = _("You have looked at the secrets of this deal, so you cannot play it.")
    example = "you have looked at the secrets of this deal, so you cannot play it"


class NoOpenDaily(Refusal):
    """No daily deal of this rule set is open."""

    status = HTTPStatus.NOT_FOUND
    reason = _("No daily deal with these rules is open now. A new day begins at 00:00 UTC.")
    example = "no daily deal of giza is open today"


class UnknownGame(Refusal):
    """There is no such game."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no such game.")
    example = "there is no game '26b7f3kq2m8p1xy'"


class NotYours(Refusal):
    """The game belongs to another player and is not public yet."""

    status = HTTPStatus.FORBIDDEN
    reason = _("This game belongs to another player and is not public yet.")
    example = "game 26b7f3kq2m8p1xz belongs to another player"


class UnknownDeal(Refusal):
    """There is no such deal."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no such deal.")
    example = "there is no deal '8d2nq6vtc0hx'"


class DealNotYet(Refusal):
    """The deal is not open to the player yet.

    Its day is not over, and the player has no ranked attempt at it, or another one left, or its policy keeps it from
    practice; or no practice game on it has ended.
    """

    reason = _("You cannot practise on this deal yet: its day or race is not over, or no game on it has ended.")
    example = "deal 8d2nq6vtc0hw is not shared yet"


class TooManyGames(Refusal):
    """The player has started as many practice games as a day allows; wait, they refill one at a time."""

    status = HTTPStatus.TOO_MANY_REQUESTS
    reason = _("You have started as many practice games as a day allows. The next one can begin in a while.")
    example = "you have started 500 practice games; the next one can begin in 173 seconds"


class TooManyOpenGames(Refusal):
    """The player has reached the limit of unfinished practice games; finish or resign one."""

    reason = _("You have too many unfinished practice games. Finish one or give one up first.")
    example = "you have 20 unfinished practice games; finish or resign one first"


for _error, _status, _reason in (
    (
        NotationError("no card at '4x9s' in '4x9s'"),
        HTTPStatus.BAD_REQUEST,
        _("This is not an action of a game."),
    ),
    (
        DamagedLog("the sealed log is of format 0, which is not known here"),
        HTTPStatus.INTERNAL_SERVER_ERROR,
        _("The log of this game cannot be read any more."),
    ),
    (
        UnknownRuleSet("no rule set is called 'spider'"),
        HTTPStatus.NOT_FOUND,
        _("There is no rule set with this name."),
    ),
    (
        IllegalMove("2hTd", "2h is covered by Qd and 5d; Td is covered by 2h and Jh"),
        HTTPStatus.CONFLICT,
        _("The rules do not allow it here."),
    ),
    (GameOver("the game has ended: resigned"), HTTPStatus.CONFLICT, _("The game has ended.")),
):
    declare(_error, _error.code, _status, _reason)
