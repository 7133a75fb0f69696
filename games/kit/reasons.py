"""The reasons of refusals, in words for people; the messages of the errors themselves are English, for programs."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import get_language

ENGLISH = "en"

_reasons: dict[type[Exception] | str, Promise] = {}


def explain(reasons: Mapping[type[Exception] | str, Promise]) -> None:
    """Register reasons by class, which subclasses do not inherit; by code for errors of the REST framework."""
    _reasons.update(reasons)


def reason_of(error: Exception, code: str = "") -> str | None:
    """Return why something was refused, as a sentence in the reader's language; None for an error without a reason."""
    reason = _reasons.get(type(error)) or _reasons.get(code)
    return None if reason is None else str(reason)


def message_of(error: Exception, code: str = "") -> str:
    """Return the message of an error for a client: in English its own, which is precise, otherwise the reason."""
    is_english = (get_language() or ENGLISH) == ENGLISH
    return str(error) if is_english else reason_of(error, code) or str(error)
