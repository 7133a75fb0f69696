"""All guards of score tables and their review, each in the module of its subject."""

from __future__ import annotations

from games.kit.triggers import complaining
from leaderboards import pending
from leaderboards.models import guards_boards, guards_cases, guards_leagues, guards_sealing, guards_seasons

GUARDS = (
    complaining("leaderboards")
    | pending.TRIGGERS
    | guards_boards.GUARDS
    | guards_sealing.GUARDS
    | guards_cases.GUARDS
    | guards_seasons.GUARDS
    | guards_leagues.GUARDS
)
