"""The reasons of refusals in the reader's language."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import errors
from games.kit.errors import BadMessage, MailFailed, MessageTooLarge, Unavailable
from games.kit.reasons import explain
from games.rules.errors import DamagedLog, GameOver, IllegalMove, NotationError, UnknownRuleSet

REASONS: dict[type[Exception] | str, Promise] = {
    errors.AlreadyClaimed: _("This account has a handle and a password already."),
    errors.AlreadySeenByStaff: _("You have looked at the secrets of this deal, so you cannot play it."),
    errors.BadHandle: _("A handle has 3 to 32 lower-case letters and digits, with single hyphens between them."),
    errors.BadMailAddress: _("This is not a mail address."),
    errors.Conflict: _("Another of your devices did the same at the same moment. Try again."),
    errors.DealNotYet: _(
        "You cannot practise on this deal yet: its day or race is not over, or no game on it has ended."
    ),
    errors.GuestAccount: _("A guest has no password. Register first."),
    errors.HandleReserved: _("This handle is reserved. Choose another one."),
    errors.HandleTaken: _("This handle is taken. Choose another one."),
    errors.NameReserved: _("This name could be mistaken for the server. Choose another one."),
    errors.NoCertifiedDeal: _("No winnable deal was found in time. Try again, or take any deal."),
    errors.NoOpenDaily: _("No daily deal with these rules is open now. A new day begins at 00:00 UTC."),
    errors.NoMail: _("This server sends no mail."),
    errors.NotCertifiable: _("Deals of these rules take too long to solve, so none is proved winnable. Take any deal."),
    errors.NotYours: _("This game belongs to another player and is not public yet."),
    errors.RestartNotAllowed: _("This game cannot be played again from the start."),
    errors.SignInFailed: _("Wrong handle or password."),
    errors.TooManyGames: _(
        "You have started as many practice games as a day allows. The next one can begin in a while."
    ),
    errors.TooManyKeys: _("You have as many tokens as an account may have. End one first."),
    errors.TooManyOpenGames: _("You have too many unfinished practice games. Finish one or give one up first."),
    errors.WrongPassword: _("This is not your password."),
    MailFailed: _("The mail could not be sent; nothing was changed. Try again later."),
    Unavailable: _("The server cannot do this just now. Try again in a moment."),
    errors.AlreadyAttempted: _("You have used all your ranked attempts at this deal."),
    errors.HintsNotAllowed: _("This game has no hints."),
    errors.NotBegun: _("The game has not begun."),
    errors.ReviewNotYet: _("A game can be reviewed once it has ended and its day or race is over."),
    errors.StaleVersion: _("The game has moved on. Look at it again, then choose."),
    errors.TooManyActions: _("This game has had too many moves. You can only give it up."),
    errors.UndoNotAllowed: _("This game has no undo."),
    errors.UnknownDaily: _("There is no such daily deal, or it has not opened yet."),
    errors.UnknownDeal: _("There is no such deal."),
    errors.UnknownExport: _("You have no copy of your data that is ready."),
    errors.UnknownGame: _("There is no such game."),
    errors.UnknownKey: _("You have no such session or token."),
    errors.UnknownPlayer: _("There is no player with this handle, or the account is closed."),
    errors.BotsNotAdmitted: _("This race does not admit bots."),
    errors.CannotOwnBots: _("Bots and banned players cannot own bots."),
    errors.TooManyBots: _("You own as many bots as you may. Delete one first."),
    errors.UnknownBot: _("You own no such bot."),
    errors.NotHost: _("Only the host of a race can do that."),
    errors.NotInRace: _("You are not in this race."),
    errors.RaceFull: _("This race is full."),
    errors.RaceNotOver: _("The race is not over yet."),
    errors.RaceStarted: _("The race has started, so nobody can join it any more."),
    errors.TooFewRacers: _("A race needs at least two racers."),
    errors.TooManyRaces: _("You are in too many races. Leave one first, or wait for one to end."),
    errors.UnknownRace: _("There is no such race, or you need its complete invite link."),
    BadMessage: _("The server does not understand this message."),
    DamagedLog: _("The log of this game cannot be read any more."),
    GameOver: _("The game has ended."),
    IllegalMove: _("The rules do not allow it here."),
    MessageTooLarge: _("That is too long."),
    NotationError: _("This is not an action of a game."),
    UnknownRuleSet: _("There is no rule set with this name."),
    "bad_credentials": _("The token is invalid or has expired, or its account is closed."),
    "forbidden": _("You may not do that."),
    "malformed_request": _("The request cannot be read."),
    "method_not_allowed": _("This address does not support that."),
    "not_acceptable": _("The answers of this server are JSON."),
    "not_found": _("There is nothing here."),
    "not_signed_in": _("Sign in first."),
    "server_error": _("Something went wrong on our side."),
    "too_many_requests": _("Too many requests. Wait a moment."),
    "unsupported_media_type": _("The body of a request has to be JSON."),
}

explain(REASONS)
