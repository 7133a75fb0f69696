"""The common parts of pages about games: the player, and explanations instead of content."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from games.kit.addresses import address_of_request
from games.kit.limits import count, new_account
from games.kit.pages import page, reader_of
from games.kit.passwords import BACKEND
from games.models import Player
from games.services.players import new_guest

SEE_OTHER = 303
pages = require_http_methods(["GET", "HEAD", "POST"])


def player_of(request: HttpRequest) -> Player:
    """Return the player who is signed in, or else a new guest with a session. Raises `Throttled`."""
    reader = reader_of(request)
    if reader is not None:
        return reader
    count(*new_account(address_of_request(request)))
    guest = new_guest()
    login(request, guest, BACKEND)
    return guest


def explanation(request: HttpRequest, title: str, text: str, *, status: int, section: str = "") -> HttpResponse:
    """Render a page that explains why there is nothing to see, with a way out."""
    return page(request, "games/explanation.html", {"title": title, "text": text}, section=section, status=status)


def see_other(to: str, *arguments: Any) -> HttpResponse:
    """Redirect a submitted form to another address."""
    response = redirect(to, *arguments)
    response.status_code = SEE_OTHER
    return response
