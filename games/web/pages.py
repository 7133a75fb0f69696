"""The common parts of pages about games: the player, and explanations instead of content."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext
from rest_framework.exceptions import Throttled
from rest_framework.throttling import BaseThrottle

from games.kit.pages import page, reader_of
from games.models import Player
from games.services.players import new_guest
from games.services.throttling import count_attempt

BACKEND = "django.contrib.auth.backends.ModelBackend"
SEE_OTHER = 303


def player_of(request: HttpRequest) -> Player:
    """Return the player who is signed in, or else a new guest with a session. Raises `Throttled`."""
    reader = reader_of(request)
    if reader is not None:
        return reader
    count_attempt("guests", address_of(request))
    guest = new_guest()
    login(request, guest, BACKEND)
    return guest


def address_of(request: HttpRequest) -> str:
    """Return the network address for which attempts are counted."""
    address: str = BaseThrottle().get_ident(request)  # type: ignore[arg-type]  # it reads only what both kinds have
    return address


def explanation(request: HttpRequest, title: str, text: str, *, status: int, section: str = "") -> HttpResponse:
    """Render a page that explains why there is nothing to see, with a way out."""
    return page(request, "games/explanation.html", {"title": title, "text": text}, section=section, status=status)


def see_other(to: str, *arguments: Any) -> HttpResponse:
    """Redirect a submitted form to another address."""
    response = redirect(to, *arguments)
    response.status_code = SEE_OTHER
    return response


def sentence(error: Exception) -> str:
    """Return the text of an error as a sentence."""
    if isinstance(error, Throttled):
        wait = int(getattr(error, "wait", None) or 0) // 60 + 1
        text = ngettext(
            "Too many attempts. Try again in %(count)d minute.",
            "Too many attempts. Try again in %(count)d minutes.",
            wait,
        )
        return text % {"count": wait}
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
