"""Refusals of requests: one class, one stable code and one HTTP status each.

REST and sockets answer with the same codes. Errors of lower layers, which know nothing of HTTP, get their status from
`status_of` once their package has registered them.
"""

from __future__ import annotations

from functools import singledispatch
from http import HTTPStatus
from typing import ClassVar


class Refusal(Exception):
    """A request that is understood and not granted; the text tells the player why."""

    code: ClassVar[str]
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT

    @property
    def details(self) -> dict[str, str]:
        """Values for programs, in addition to the code."""
        return {}


class BadMessage(Refusal):
    """A frame that is not a message of the live protocol; the text says what is wrong with it."""

    code = "bad_message"
    status = HTTPStatus.BAD_REQUEST


class MessageTooLarge(Refusal):
    """A frame or a body that is longer than the server accepts."""

    code = "message_too_large"
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class MailFailed(Refusal):
    """The mail server did not take a mail."""

    code = "mail_failed"
    status = HTTPStatus.SERVICE_UNAVAILABLE


class Unavailable(Refusal):
    """The database does not answer. Try again: an action that was stored is not taken twice."""

    code = "unavailable"
    status = HTTPStatus.SERVICE_UNAVAILABLE


@singledispatch
def status_of(error: Exception) -> HTTPStatus | None:
    """Return the HTTP status of an error that may be sent to a client with its `code`; None for an internal error."""
    return None


@status_of.register
def _(error: Refusal) -> HTTPStatus:
    return error.status
