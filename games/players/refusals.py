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


class NameLikeHandle(NameReserved):
    """The display name could be taken for a handle, or for a name with the handle of another player."""

    reason = _(
        "This name looks like the handle of a player. Choose one without @ at its start and brackets at its end."
    )
    example = "'Zoe (alice)' could be mistaken for a player with the handle 'alice'"


class BadIdempotencyKey(Refusal):
    """The `Idempotency-Key` is not 16 to 100 visible ASCII characters."""

    status = HTTPStatus.BAD_REQUEST
    reason = _("The key of the request is not valid.")
    example = "an Idempotency-Key has 16 to 100 visible ASCII characters, such as a random UUID"


class IdempotencyKeyReused(Refusal):
    """The `Idempotency-Key` came with another body before; take a new one for each request."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY
    reason = _("The key of the request was used for another one.")
    example = "this Idempotency-Key came with another body before"


class StillUnderWay(Refusal):
    """The first request with this `Idempotency-Key` is not answered yet; ask again in a second."""

    reason = _("The first request is still under way. Try again in a moment.")
    example = "the first request with this key is still under way"
    wait = 0.0
