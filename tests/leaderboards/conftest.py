"""The cast, a day that is open, and finished games with any score."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from games.models import DailyDeal, Game, Player
from games.services.dailies import ensure_dailies
from leaderboards.models import Board

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
FEWEST_MOVES = "daily.2026-11-20.standard.open.fewest-moves"
FASTEST = "daily.2026-11-20.standard.open.fastest"

Finish = Callable[..., Game]


def named(handle: str, **fields: Any) -> Player:
    return Player.objects.create(username=handle, display_name=handle.title(), **fields)


@pytest.fixture
def alice(db: None) -> Player:
    return named("alice")


@pytest.fixture
def bob(db: None) -> Player:
    return named("bob")


@pytest.fixture
def robot(db: None) -> Player:
    return named("robot", is_bot=True)


@pytest.fixture
def daily(db: None) -> DailyDeal:
    ensure_dailies(NOON)
    return DailyDeal.objects.get(day=NOON.date(), rules="standard")


@pytest.fixture
def finish(daily: DailyDeal) -> Finish:
    """Return a function that makes a player's finished attempt at today's deal, without telling anyone of it."""

    def finish(player: Player, cards_left: int = 0, moves: int = 40, elapsed_ms: int = 60_000, **fields: Any) -> Game:
        scored = {"cards_left": cards_left, "moves": moves, "elapsed_ms": elapsed_ms}
        counts = {"draws": 0, "recycles": 0, "undos": 0, "hints": 0}
        when = {"created_at": NOON, "started_at": NOON, "finished_at": NOON + timedelta(milliseconds=elapsed_ms)}
        place = {"player": player, "deal": daily.deal, "daily": daily, "status": "resigned" if cards_left else "won"}
        return Game.objects.create(**{**place, **when, **counts, **scored, **fields})

    return finish


def board_named(slug: str) -> Board:
    return Board.objects.get(slug=slug)
