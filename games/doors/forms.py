"""Forms of pages: the use cases decide what to refuse, and forms show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from django import forms
from rest_framework.exceptions import Throttled

from games.doors.pages import sentence
from games.doors.refusals import Refusal

T = TypeVar("T")


def granted(form: forms.Form, ask: Callable[[], T], fields: Mapping[type[Refusal], str] | None = None) -> T | None:
    """Return the result of a use case, or None after adding its refusal to the form.

    The refusal is shown at the input that `fields` names for it, or at its own.
    """
    try:
        return ask()
    except Throttled as refusal:
        form.add_error(None, sentence(refusal))
    except Refusal as refusal:
        form.add_error((fields or {}).get(type(refusal), refusal.field), sentence(refusal))
    return None
