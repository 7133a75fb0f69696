"""Cups that are over, with entrants in the order of their places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from games.cups.models import Cup, CupEntry
from games.players.models import Player
from tests.leaderboards.conftest import NOON

Play = Callable[..., Cup]


@pytest.fixture
def played(db: None) -> Play:
    """Return a function that makes a cup which is over, given the entrants of each division by place."""

    def play(*divisions: Sequence[Player], days: int = 0, opens_at: datetime = NOON, **fields: Any) -> Cup:
        opens_at += timedelta(days=days)
        cup = Cup.objects.create(
            **{"rules": "relaxed", "for_bots": False, "announced_for": opens_at, "opens_at": opens_at}
            | {"qualify_s": 900, "limit_s": 600, "end": "completed", "ended_at": opens_at + timedelta(hours=1)}
            | fields
        )
        placed = [
            (number, place, player)
            for number, division in enumerate(divisions, 1)
            for place, player in enumerate(division, 1)
        ]
        for seed, (division, place, player) in enumerate(placed, 1):
            CupEntry.objects.create(cup=cup, player=player, seed=seed, division=division, place=place)
        return cup

    return play
