"""The requests about cups, as docs/cups.md describes them. `api.py` has all others."""

from __future__ import annotations

from pyramid_client import answers
from pyramid_client.api import _get, _part, _post
from pyramid_client.rest import Call


def cups() -> Call[answers.Cups]:
    """The cups that are announced or on their way, the next first, and the last that are over."""
    return _get("/cups/", answers.Cups)


def cup(cup_id: str, *, division: int | None = None) -> Call[answers.Cup]:
    """A cup with the bracket of a division, by default the first."""
    return _get(f"/cups/{_part(cup_id)}/", answers.Cup, division=division)


def enter(cup_id: str) -> Call[answers.Entered]:
    """Begin your one attempt in the qualification; doing so again returns the same game."""
    return _post(f"/cups/{_part(cup_id)}/enter/", answers.Entered)


def own() -> Call[answers.OwnCups]:
    """The tournaments by hand that you organise or signed up for."""
    return _get("/me/cups/", answers.OwnCups)


def sign_up(letters: str) -> Call[answers.Cup]:
    """Sign up for the tournament with these six letters."""
    return _post("/cups/join/", answers.Cup, letters=letters)


def withdraw(cup_id: str) -> Call[answers.Cup]:
    """Take back that you signed up."""
    return _post(f"/cups/{_part(cup_id)}/withdraw/", answers.Cup)


def season(month: str) -> Call[answers.CupSeason]:
    """The table of the cups of a month, such as `2026-11`."""
    return _get(f"/cups/seasons/{_part(month)}/", answers.CupSeason)
