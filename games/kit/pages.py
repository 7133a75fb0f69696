"""Render pages for people, with their reader and the section of the site that they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext
from rest_framework.exceptions import Throttled

from games.models.players import Player


def reader_of(request: HttpRequest) -> Player | None:
    """Return the player who reads a page, or None if unknown."""
    return request.user if isinstance(request.user, Player) else None


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
    """Return what an error says as a sentence for people."""
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
