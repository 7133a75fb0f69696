from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal
from games.keys.refusals import SignInFailed


class BadHandle(Refusal):
    """The text is not a valid handle."""

    field = "handle"
    status = HTTPStatus.BAD_REQUEST
    reason = _("A handle has 3 to 32 lower-case letters and digits, with single hyphens between them.")
    example = "a handle is 3 to 32 lower-case letters and digits, with single hyphens between them"


class HandleReserved(Refusal):
    """The handle could be mistaken for the server or its staff."""

    field = "handle"
    reason = _("This handle is reserved. Choose another one.")
    example = "the handle 'admin' is reserved"


class HandleTaken(Refusal):
    """Another account has the handle."""

    field = "handle"
    reason = _("This handle is taken. Choose another one.")
    example = "the handle 'carol' is taken"


class WeakPassword(Refusal):
    """The password is too easy to guess; the message says why."""

    field = "password"
    status = HTTPStatus.BAD_REQUEST
    example = "This password is too common."


class PasswordsOff(Refusal):
    """Nobody signs in with a password on this server."""

    status = HTTPStatus.FORBIDDEN
    reason = _("Nobody signs in with a password here.")
    example = "nobody signs in with a password here"


class AlreadyClaimed(Refusal):
    """The account is no longer a guest account."""

    reason = _("This account has a handle and a password already.")
    example = "this account is already named carol"


class WrongPassword(SignInFailed):
    """It is not the password of the player who is signed in."""

    reason = _("This is not your password.")


class SignInAgain(SignInFailed):
    """The account has no password that counts, and nobody has signed in to it in this browser a short time ago."""

    reason = _(
        "Your account has no password. Sign in again under Ways to sign in, then repeat this within ten minutes."
    )


class GuestAccount(Refusal):
    """The account has no password yet."""

    reason = _("A guest has no password. Register first.")
    example = "a guest has no password; register first"


class NoMail(Refusal):
    """This server sends no mail."""

    reason = _("This server sends no mail.")
    example = "this server sends no mail"


class BadMailAddress(Refusal):
    """The text is not a mail address."""

    status = HTTPStatus.BAD_REQUEST
    reason = _("This is not a mail address.")
    example = "this is not a mail address"
