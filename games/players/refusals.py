from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class UnknownPlayer(Refusal):
    """There is no player with this handle, or the account is closed."""

    status = HTTPStatus.NOT_FOUND
    reason = _("There is no player with this handle, or the account is closed.")
    example = "there is no player 'guest-k2m8p1xz7f3r'"


class NameReserved(Refusal):
    """The display name could be taken for that of the server or its staff."""

    field = "display_name"
    reason = _("This name could be mistaken for the server. Choose another one.")
    example = "'Admin' could be mistaken for the server"
