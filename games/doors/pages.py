"""The parts of pages for people that know no subject: sentences of refusals, clocks, redirects."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.formats import get_format
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods
from rest_framework.exceptions import Throttled

from games.doors.refusals import reason_of


def sentence(error: Exception) -> str:
    """Return why something was refused as a sentence for people; an error without a reason speaks for itself."""
    if isinstance(error, Throttled):
        wait = int(getattr(error, "wait", None) or 0) // 60 + 1
        text = ngettext(
            "Too many attempts. Try again in %(count)d minute.",
            "Too many attempts. Try again in %(count)d minutes.",
            wait,
        )
        return text % {"count": wait}
    if reason := reason_of(error):
        return reason
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def clock_text(milliseconds: int) -> str:
    """Return a duration as minutes and seconds, as the score tables show it."""
    minutes, rest = divmod(milliseconds, 60_000)
    seconds, thousandths = divmod(rest, 1000)
    return f"{minutes}:{seconds:02}{get_format('DECIMAL_SEPARATOR')}{thousandths:03}"


SEE_OTHER = 303
pages = require_http_methods(["GET", "HEAD", "POST"])


def see_other(to: str, *arguments: Any) -> HttpResponse:
    """Redirect a submitted form to another address."""
    response = redirect(to, *arguments)
    response.status_code = SEE_OTHER
    return response
