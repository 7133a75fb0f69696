"""A sealed day is exported whole: its deals, its results, its records, and no names."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from games.calendar.models import DailyDeal
from games.personal_data.erasure import erase_player
from games.play.models import Game
from games.players.models import Player
from games.rules import Record
from games.tlog import merkle
from leaderboards.audit import rest
from leaderboards.audit.sealing import seal_days
from tests.leaderboards.conftest import NOON
from tests.leaderboards.played import played

pytestmark = pytest.mark.usefixtures("_noon")

DAY = NOON.date()
ADDRESS = f"/api/days/{DAY}/results/"
FINAL = NOON.replace(hour=0, minute=30) + timedelta(days=2)


@pytest.fixture
def api() -> APIClient:
    return APIClient()


@pytest.fixture
def games(alice: Player, bob: Player, robot: Player, daily: DailyDeal) -> list[Game]:
    return [played(player, NOON, actions=count) for player, count in ((alice, 25), (bob, 14), (robot, 20))]


def lines(api: APIClient, address: str = ADDRESS) -> tuple[list[Any], str | None]:
    """Return the lines of a page, and the address of the next one."""
    response = api.get(address)
    assert response.status_code == 200, response.content
    assert response["Content-Type"] == "application/x-ndjson"
    link = response.get("Link")
    return [json.loads(line) for line in response.content.decode().splitlines()], link and link[1 : link.index(">")]


def test_a_stranger_computes_the_root_and_every_result_from_the_export_alone(api: APIClient, games: list[Game]) -> None:
    seal_days(FINAL)
    (day, *results), following = lines(api)
    assert (day["type"], day["count"], following) == ("day", 3, None)
    assert merkle.root(merkle.tiles(result["leaf"].encode() for result in results), len(results)).hex() == day["root"]
    deals = {(deal["rules"], deal["division"]): deal for deal in day["deals"]}
    assert {deal["beacon"] for deal in day["deals"]} == {None}
    for result in results:
        record = Record.from_text(result["record"])
        play = record.replay()
        log = " ".join(f"{action.text}@{at_ms}" for action, at_ms in record.actions)
        parts = ["pyramid/result/1", str(DAY), *(result[name] for name in ("rules", "division", "game", "result"))]
        parts += [str(result[name]) for name in ("cards_left", "moves", "elapsed_ms")]
        assert result["leaf"] == "|".join([*parts, hashlib.sha256(log.encode()).hexdigest()])
        assert (play.moves, record.result) == (result["moves"], result["result"])
        assert record.as_dealt().deck.text == deals[result["rules"], result["division"]]["deck"]
    assert sorted(result["entrants"] for result in results) == ["bots", "people", "people"]


def test_nothing_of_a_day_that_is_not_final_is_exported(api: APIClient, games: list[Game]) -> None:
    seal_days(FINAL - timedelta(seconds=1))
    assert api.get(ADDRESS).json()["code"] == "not_sealed"
    assert api.get("/api/days/yesterday/results/").json()["code"] == "invalid_request"


def test_pages_follow_each_other_and_never_change(
    api: APIClient, games: list[Game], alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rest, "RESULTS_PER_PAGE", 2)
    seal_days(FINAL)
    first, following = lines(api)
    second, end = lines(api, following or "")
    assert [line["type"] for line in first] == ["day", "result", "result"]
    assert ([line["index"] for line in second], end) == ([2], None)
    assert "immutable" in api.get(ADDRESS)["Cache-Control"]
    erase_player(alice, "she asked for it", None, FINAL)
    assert lines(api)[0] == first
    assert "alice" not in api.get(ADDRESS).content.decode()
