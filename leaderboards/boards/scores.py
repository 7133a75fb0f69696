"""Scores as everyone may see them, read as plain values.

A table of rows made into objects of three models would take several times as long.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from games.players.models import listed_as
from leaderboards.boards.ranking.view import POSITION
from leaderboards.boards.sort_keys import Order

FIELDS = (
    *(*POSITION, "game_id", "state", "changed_at", "player_id", "player__username"),
    *("player__display_name", "player__name_is_shared", "player__is_bot", "player__is_active"),
    *("game__status", "game__finished_at", "player__model"),
)
"""The fields of an entry that `score_of` needs, those of its position first."""


class Score(NamedTuple):
    """A score as everyone may see it. `values` are those that the board sorts by; a sum has no game and no result."""

    handle: str
    display_name: str
    is_bot: bool
    game: str | None
    values: dict[str, int]
    result: str | None
    state: str
    at: datetime
    model: str = ""


def score_of(order: Order, row: Sequence[Any]) -> Score:
    """Return the score of an entry from its values of `FIELDS`."""
    key, _, _, game, state, changed_at, player, handle, name, is_shared, is_bot, is_active, *rest = row
    result, ended, model = rest
    handle, name = listed_as(player, handle, name, is_shared=is_shared, is_active=is_active)
    return Score(handle, name, is_bot, game, order.unpack(key), result, state, ended or changed_at, model)
