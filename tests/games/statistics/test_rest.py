from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine

from games.play.models import Game
from games.players.models import Player
from tests.games.api import Api, refusal

pytestmark = [
    pytest.mark.usefixtures("dailies"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("clock"),
]
NOTHING = {"current": 0, "longest": 0}
ONE = {"current": 1, "longest": 1}


def played(days: int, current: int | None = None) -> dict[str, Any]:
    """Return the streak of someone who has played some days of one week, all in a row."""
    current = days if current is None else current
    weeks = {"current": min(days, 1), "longest": min(days, 1)}
    return {"current": current, "longest": days, "rest_days_left": 0, "weeks": weeks, "total": days}


def test_alice_reads_her_own_streaks_and_anyone_reads_them_by_her_handle(
    as_alice: Api, anyone: Api, alice: Player
) -> None:
    public = f"/api/players/{alice.username}/statistics/"
    mine = as_alice.get("/api/players/me/statistics/").json()
    assert mine["player"]["handle"] == alice.username
    assert (mine["played"], mine["won"], mine["bests"]) == (played(0), NOTHING, [])
    game = as_alice.start("daily", "standard")
    assert as_alice.get("/api/players/me/statistics/").json()["played"] == played(1)
    assert as_alice.get(public).json()["played"] == played(1)
    assert anyone.get(public).json()["played"] == played(0)
    as_alice.resign(game)
    assert anyone.get(public).json()["played"] == played(1)


def test_a_won_daily_gives_bests(as_alice: Api, anyone: Api, alice: Player, now: datetime) -> None:
    game = as_alice.start("daily", "standard")
    zero = {"draws": 0, "recycles": 0, "undos": 0, "hints": 0, "cards_left": 0, "moves": 0}
    Game.objects.filter(pk=game).update(status="won", finished_at=now, elapsed_ms=61_001, **zero)
    told = anyone.get(f"/api/players/{alice.username}/statistics/").json()
    assert told["won"] == ONE
    assert told["bests"] == [{"rules": "standard", "kind": "daily", "moves": 0, "elapsed_ms": 61_001}]
    assert told["results"] == [{"rules": "standard", "kind": "daily", "played": 1, "won": 1, "over_par": []}]


def test_a_streak_ends_with_the_day_after_the_last(as_alice: Api, clock: time_machine.Traveller) -> None:
    as_alice.start("daily", "standard")
    for moment, current in (("2026-03-02T23:59:59.999Z", 1), ("2026-03-03T00:00:00Z", 0)):
        clock.move_to(datetime.fromisoformat(moment), tick=False)
        assert as_alice.get("/api/players/me/statistics/").json()["played"] == played(1, current)
    clock.shift(timedelta(milliseconds=1))
    as_alice.start("daily", "standard")
    weeks = {"current": 2, "longest": 2}  # a Sunday, and the Tuesday after
    assert as_alice.get("/api/players/me/statistics/").json()["played"] == played(1) | {"weeks": weeks, "total": 2}


def test_nobody_has_statistics(anyone: Api) -> None:
    assert refusal(anyone.get("/api/players/nobody/statistics/")) == (404, "unknown_player")
    assert refusal(anyone.get("/api/players/me/statistics/")) == (401, "not_signed_in")
