"""A visitor's display options, from a cookie that scripts write and templates read."""

from __future__ import annotations

from django.http import HttpRequest

COOKIE = "pyramid_options"
OPTIONS = ("large", "four", "mirrored", "sounds", "still", "noletters", "light", "dark")


def chosen_options(request: HttpRequest) -> tuple[str, ...]:
    """Return the visitor's options, without unknown ones."""
    chosen = set(request.COOKIES.get(COOKIE, "").split("."))
    return tuple(option for option in OPTIONS if option in chosen)
