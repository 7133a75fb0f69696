from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class UnknownKey(Refusal):
    """The player has no such session or token."""

    status = HTTPStatus.NOT_FOUND
    reason = _("You have no such session or token.")
    example = "you have no such session or token"


class TooManyKeys(Refusal):
    """The player has as many tokens as an account may have; end one first."""

    reason = _("You have as many tokens as an account may have. End one first.")
    example = "you have 100 tokens; end one first"


class SignInFailed(Refusal):
    """No account matches this handle and password."""

    status = HTTPStatus.UNAUTHORIZED
    reason = _("Wrong handle or password.")
    example = "wrong handle or password"
