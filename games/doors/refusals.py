"""Refusals of requests: everything that interfaces say about one stands in its declaration.

REST, sockets and pages answer with the same codes. Errors of lower layers and of the REST framework, which know nothing
of codes or of people, are declared here by `declare`.
"""

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import ClassVar, Self

from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

ENGLISH = "en"


class Refusal(Exception):
    """A request that is understood and not granted; its text, in English, is precise and for programs.

    The docstring of a class is its meaning in the documents, its name in lower case its code: `stale_version`. What
    refines another refusal has the code of that one.
    """

    code: ClassVar[str]
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT
    reason: ClassVar[Promise | None] = None  # for people, to be translated; without one the text is for them too
    example: ClassVar[str]  # a text, for the documents
    field: ClassVar[str | None] = None  # the input of a form at which pages show it

    def __init_subclass__(cls) -> None:
        if Refusal in cls.__bases__:
            cls.code = re.sub(r"(?!^)([A-Z])", r"_\1", cls.__name__).lower()

    @property
    def details(self) -> dict[str, str]:
        """Values for programs, in addition to the code."""
        return {}

    @classmethod
    def sample(cls) -> Self:
        return cls(cls.example)


class BadMessage(Refusal):
    """The frame is not a message of the live protocol; the text says what is wrong with it."""

    status = HTTPStatus.BAD_REQUEST
    reason = _("The server does not understand this message.")
    example = "this is not JSON"


class MessageTooLarge(Refusal):
    """The frame or body is longer than the server accepts."""

    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    reason = _("That is too long.")
    example = "the body of a request has at most 65536 bytes"


class AddressTooLong(Refusal):
    """The address, its query included, is longer than the server accepts."""

    status = HTTPStatus.REQUEST_URI_TOO_LONG
    reason = _("That is too long.")
    example = "an address has at most 8192 bytes"


class HeadersTooLarge(Refusal):
    """The headers of the request are longer than the server accepts, all together."""

    status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
    reason = _("That is too long.")
    example = "the headers of a request have at most 16384 bytes"


class MailFailed(Refusal):
    """The mail server did not take a mail."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
    reason = _("The mail could not be sent; nothing was changed. Try again later.")
    example = "the mail could not be sent; nothing was changed, try again later"


class Unavailable(Refusal):
    """The database does not answer or cannot write, or hints are being prepared; try again, an action counts once."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
    reason = _("The server cannot do this just now. Try again in a moment.")
    example = "the database does not answer; try again, an action that was kept is not taken twice"


@dataclass(frozen=True, slots=True)
class Declaration:
    """The declaration of a class of errors that is not a `Refusal`; see the fields there."""

    code: str
    status: int
    reason: Promise | None
    example: Exception


declared: dict[type[Exception], Declaration] = {}


def declare(example: Exception, code: str, status: int, reason: Promise | None) -> None:
    """Declare the class of an error; its subclasses are answered likewise, unless they were declared before it."""
    declared[type(example)] = Declaration(code, status, reason, example)


def refusals() -> list[type[Refusal]]:
    """Return all classes of refusals, of both apps."""
    found, waiting = [], [Refusal]
    while waiting:
        below = waiting.pop(0).__subclasses__()
        found += below
        waiting += below
    return found


def declaration_of(kind: type[Exception]) -> Declaration | type[Refusal] | None:
    """Return how errors of a class are answered; None for an internal error."""
    if issubclass(kind, Refusal):
        return kind
    return next((found for base, found in declared.items() if issubclass(kind, base)), None)


def sample_of(kind: type[Exception]) -> Exception:
    """Return an example of an error, for the documents."""
    declaration = declaration_of(kind)
    assert declaration is not None  # noqa: S101  documented errors are declared
    return declaration.example if isinstance(declaration, Declaration) else declaration.sample()


def reason_of(error: Exception) -> str | None:
    """Return why something was refused, as a sentence in the reader's language; None for an error without a reason."""
    declaration = declaration_of(type(error))
    return None if declaration is None or declaration.reason is None else str(declaration.reason)


def message_of(error: Exception) -> str:
    """Return the message of an error for a client: in English its own, which is precise, otherwise the reason."""
    is_english = (get_language() or ENGLISH) == ENGLISH
    return str(error) if is_english else reason_of(error) or str(error)
