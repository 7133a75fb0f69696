"""Why something that a client asks for is refused: one class, one stable code and one HTTP status each.

REST and sockets answer with the same codes. Errors of plain Python further down, which know no HTTP, are translated by
`status_of`, where their package registers them.
"""

from __future__ import annotations

from functools import singledispatch
from http import HTTPStatus
from typing import ClassVar


class Refusal(Exception):
    """A request that is understood and not granted; the text says why in words for the player."""

    code: ClassVar[str]
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT

    @property
    def details(self) -> dict[str, str]:
        """What a program needs besides the code."""
        return {}


class BadMessage(Refusal):
    """A frame that is not a message of the live protocol; the text says where it goes wrong."""

    code = "bad_message"
    status = HTTPStatus.BAD_REQUEST


class MessageTooLarge(Refusal):
    """A frame or a body longer than the server reads."""

    code = "message_too_large"
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class Unavailable(Refusal):
    """The database does not answer. Try again: an action that was kept is not taken twice."""

    code = "unavailable"
    status = HTTPStatus.SERVICE_UNAVAILABLE


@singledispatch
def status_of(error: Exception) -> HTTPStatus | None:
    """Return the HTTP status of an error that a client may be told with its `code`; None for a fault of ours."""
    return None


@status_of.register
def _(error: Refusal) -> HTTPStatus:
    return error.status
