"""What a visitor chose for the look of things: a cookie that scripts write and pages are drawn by."""

from __future__ import annotations

from django.http import HttpRequest

COOKIE = "pyramid_options"
OPTIONS = ("large", "four", "mirrored", "sounds", "still", "noletters", "light", "dark")


def chosen_options(request: HttpRequest) -> tuple[str, ...]:
    """Return the options that a visitor chose, those that exist."""
    chosen = set(request.COOKIES.get(COOKIE, "").split("."))
    return tuple(option for option in OPTIONS if option in chosen)
