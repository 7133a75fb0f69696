"""The requests about clubs, as docs/clubs.md describes them. `api.py` has all others."""

from __future__ import annotations

from typing import Literal

from pyramid_client import answers
from pyramid_client.api import _get, _part, _post
from pyramid_client.rest import Call

Admission = Literal["open", "request", "invitation"]


def found(
    name: str, description: str | None = None, *, emblem: str | None = None, admission: Admission | None = None
) -> Call[answers.Club]:
    """A new club, with you as its owner; you need a named account. Its `letters` let others in."""
    terms = {"name": name, "description": description, "emblem": emblem, "admission": admission}
    return _post("/clubs/", answers.Club, is_repeatable=False, **terms)


def own() -> Call[answers.OwnClubs]:
    """Your clubs, and those that wait for you or that you wait for."""
    return _get("/me/clubs/", answers.OwnClubs)


def club(club_id: str) -> Call[answers.Club]:
    return _get(f"/clubs/{_part(club_id)}/", answers.Club)


def join(letters: str) -> Call[answers.Club]:
    """Join the club with these six letters, or ask to."""
    return _post("/clubs/join/", answers.Club, letters=letters)


def leave(club_id: str) -> Call[answers.OwnClubs]:
    return _post(f"/clubs/{_part(club_id)}/leave/", answers.OwnClubs)


def table(
    club_id: str,
    slug: str,
    *,
    limit: int | None = None,
    around: str | None = None,
    cursor: str | None = None,
) -> Call[answers.TablePage]:
    """Rows of a score table, narrowed to a club: the first, those around a member, or those after the cursor `next`."""
    asked = {"limit": limit, "around": around, "cursor": cursor}
    return _get(f"/clubs/{_part(club_id)}/boards/{_part(slug)}/", answers.TablePage, **asked)


def standing(club_id: str, slug: str, handle: str) -> Call[answers.Standing]:
    path = f"/clubs/{_part(club_id)}/boards/{_part(slug)}/players/{_part(handle)}/"
    return _get(path, answers.Standing)


def histogram(club_id: str, slug: str, *, field: str | None = None, bins: int | None = None) -> Call[answers.Histogram]:
    path = f"/clubs/{_part(club_id)}/boards/{_part(slug)}/histogram/"
    return _get(path, answers.Histogram, field=field, bins=bins)


def season(club_id: str, slug: str, *, limit: int | None = None, cursor: str | None = None) -> Call[answers.SeasonPage]:
    """Rows of a closed season, narrowed to those who were members on its last day."""
    path = f"/clubs/{_part(club_id)}/seasons/{_part(slug)}/"
    return _get(path, answers.SeasonPage, limit=limit, cursor=cursor)


def week(
    name: str,
    *,
    rules: str | None = None,
    division: str | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> Call[answers.ClubsOfWeek]:
    """The clubs of a week such as `2026-W48`, each with the sum of its five best members."""
    asked = {"rules": rules, "division": division, "limit": limit, "cursor": cursor}
    return _get(f"/clubs/weeks/{_part(name)}/", answers.ClubsOfWeek, **asked)


def duels(club_id: str) -> Call[answers.Duels]:
    return _get(f"/clubs/{_part(club_id)}/duels/", answers.Duels)


def propose_duel(
    club_id: str, opponent: str, week: str, *, rules: str | None = None, division: str | None = None
) -> Call[answers.Duel]:
    """A duel in one of the next eight weeks, as officer of a club."""
    path = f"/clubs/{_part(club_id)}/duels/"
    return _post(path, answers.Duel, opponent=opponent, week=week, rules=rules, division=division)


def answer_duel(club_id: str, duel_id: str, act: Literal["accept", "decline", "withdraw"]) -> Call[answers.Duel]:
    return _post(f"/clubs/{_part(club_id)}/duels/{_part(duel_id)}/", answers.Duel, act=act)
