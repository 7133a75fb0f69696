"""The common start of every page of the desk: the reviewer, their permission, and the answer."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from games.players.models import Player
from games.runtime.clock import clock
from leaderboards.moderation.cases import MODERATE

SEE_OTHER = 303


def reviewer_of(request: HttpRequest) -> Player:
    """Return the reviewer who sent a request. Raises `PermissionDenied` for staff who do not moderate."""
    if isinstance(request.user, Player) and request.user.has_perm(MODERATE):
        return request.user
    raise PermissionDenied


def now() -> datetime:
    return clock.now()


def desk_page(request: HttpRequest, template: str, context: Mapping[str, Any], status: int = 200) -> HttpResponse:
    """Render a page below the bar of the admin; it is never cached, because decisions change it."""
    response = render(request, template, {**admin.site.each_context(request), **context}, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response


def see_other(to: str, *arguments: Any) -> HttpResponse:
    """Answer a form by redirecting to the page that follows."""
    response = redirect(to, *arguments)
    response.status_code = SEE_OTHER
    return response
