"""Pages with the player who reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from games.doors.kept_pages import forget_on
from games.players.models import Player
from games.players.names import TOPIC

forget_on(TOPIC)

P = ParamSpec("P")
Page = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
PlayersPage = Callable[Concatenate[HttpRequest, Player, P], HttpResponseBase]


def reader_of(request: HttpRequest) -> Player | None:
    """Return the player who reads a page, or None if unknown."""
    return request.user if isinstance(request.user, Player) else None


def sign_in_first(request: HttpRequest, reader: Player | None) -> HttpResponse:
    """Have a visitor sign in, and a guest choose a name, and then come back to this page."""
    address = reverse("web:sign-in" if reader is None else "web:claim")
    return redirect(f"{address}?{urlencode({'next': request.get_full_path()})}")


def for_players(view: PlayersPage[P]) -> Page[P]:
    """Give a page the player who reads it; anyone else is sent to sign in."""

    @wraps(view)
    def shown(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        reader = reader_of(request)
        return sign_in_first(request, reader) if reader is None else view(request, reader, *args, **kwargs)

    return shown


def for_named(view: PlayersPage[P]) -> Page[P]:
    """Give a page the player who reads it; guests are sent to claim their account, anyone else to sign in."""

    @wraps(view)
    def shown(request: HttpRequest, reader: Player, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        return sign_in_first(request, reader) if reader.is_guest else view(request, reader, *args, **kwargs)

    return for_players(shown)


def page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, Any] | None = None,
    *,
    section: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render a page for its reader, in a section of the site."""
    return render(
        request, template, {"reader": reader_of(request), "section": section, **(context or {})}, status=status
    )


def explanation(request: HttpRequest, title: str, text: str, *, status: int, section: str = "") -> HttpResponse:
    """Render a page that explains why there is nothing to see, with a way out."""
    return page(request, "games/explanation.html", {"title": title, "text": text}, section=section, status=status)
