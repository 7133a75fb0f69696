"""Reasons of refusals in the reader's language; the messages of the errors themselves are English, for programs."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import errors
from games.kit.errors import MailFailed, Refusal, Unavailable
from games.kit.pages import sentence

REASONS: dict[type[Refusal], Promise] = {
    errors.AlreadyClaimed: _("This account has a handle and a password already."),
    errors.AlreadySeenByStaff: _("You have looked at the secrets of this deal, so you cannot play it."),
    errors.BotsNotAdmitted: _("This race does not admit bots."),
    errors.BadHandle: _("A handle has 3 to 32 lower-case letters and digits, with single hyphens between them."),
    errors.BadMailAddress: _("This is not a mail address."),
    errors.Conflict: _("Another of your devices did the same at the same moment. Try again."),
    errors.DealNotYet: _(
        "You can practise on this deal when its day is over, or once you have used your attempts at it."
    ),
    errors.GuestAccount: _("A guest has no password. Register first."),
    errors.HandleReserved: _("This handle is reserved. Choose another one."),
    errors.HandleTaken: _("This handle is taken. Choose another one."),
    errors.NameReserved: _("This name could be mistaken for the server. Choose another one."),
    errors.NoCertifiedDeal: _("No winnable deal was found in time. Try again, or take any deal."),
    errors.NoOpenDaily: _("No daily deal with these rules is open now. A new day begins at 00:00 UTC."),
    errors.NoMail: _("This server sends no mail."),
    errors.NotCertifiable: _("Deals of these rules take too long to solve, so none is proved winnable. Take any deal."),
    errors.NotYours: _("You can watch it when its day is over, or once you have used your own attempts at its deal."),
    errors.RaceFull: _("This race is full."),
    errors.RaceStarted: _("This race has started, so nobody can join it any more."),
    errors.RestartNotAllowed: _("This game cannot be played again from the start."),
    errors.SignInFailed: _("Wrong handle or password."),
    errors.TooManyGames: _("You have started as many practice games as a day allows. Try again later."),
    errors.TooManyKeys: _("You have as many tokens as an account may have. Revoke one first."),
    errors.TooManyOpenGames: _("You have too many unfinished practice games. Finish one or give one up first."),
    errors.TooManyRaces: _("You are in too many races. Leave one first, or let it end."),
    errors.UnknownRace: _("There is no such race, or the invite is not complete. Ask for the link again."),
    errors.WrongPassword: _("This is not your password."),
    MailFailed: _("The mail could not be sent; nothing was changed. Try again later."),
    Unavailable: _("The server cannot do this right now. Try again in a moment."),
}


def reason(error: Exception) -> str:
    """Return why something was refused, as a sentence; an error without a text here is shown with its own message."""
    text = REASONS.get(type(error)) if isinstance(error, Refusal) else None
    return str(text) if text is not None else sentence(error)
