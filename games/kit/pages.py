"""Render pages for people, with their reader and the section of the site that they belong to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import get_format
from django.utils.translation import ngettext
from rest_framework.exceptions import Throttled

from games.kit.reasons import reason_of
from games.models.players import Player

P = ParamSpec("P")
Page = Callable[Concatenate[HttpRequest, P], HttpResponse]
PlayersPage = Callable[Concatenate[HttpRequest, Player, P], HttpResponse]


def reader_of(request: HttpRequest) -> Player | None:
    """Return the player who reads a page, or None if unknown."""
    return request.user if isinstance(request.user, Player) else None


def for_players(view: PlayersPage[P]) -> Page[P]:
    """Give a page the player who reads it; anyone else is sent to sign in."""

    @wraps(view)
    def shown(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        reader = reader_of(request)
        return redirect("web:sign-in") if reader is None else view(request, reader, *args, **kwargs)

    return shown


def for_named(view: PlayersPage[P]) -> Page[P]:
    """Give a page the player who reads it; guests are sent to claim their account, anyone else to sign in."""

    @wraps(view)
    def shown(request: HttpRequest, reader: Player, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return redirect("web:claim") if reader.is_guest else view(request, reader, *args, **kwargs)

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
