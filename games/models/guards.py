"""Everything in the database beyond the tables of games: all guards, each in the module of its subject."""

from __future__ import annotations

from games.kit.triggers import complaining
from games.models import guards_days, guards_games, guards_logs, guards_players, guards_races, guards_statistics

GUARDS = (
    complaining("games")
    | guards_logs.GUARDS
    | guards_games.GUARDS
    | guards_days.GUARDS
    | guards_players.GUARDS
    | guards_races.GUARDS
    | guards_statistics.GUARDS
)
