"""Seasons over REST and as pages."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client

from games.players.models import Player
from leaderboards.audit.sealing import seal_days
from leaderboards.seasons.models import Season
from leaderboards.seasons.seasons import close_seasons
from tests.calendar import prepared_dailies
from tests.games.api import Api, refusal
from tests.leaderboards.conftest import MONTH, NOON, Finish, named, submit_score

SLUG = "2026-11.standard.open"
LAST_FINAL = datetime.fromisoformat("2026-12-02T00:30:00+00:00")

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]


@pytest.fixture
def season(alice: Player, bob: Player, finish: Finish) -> Season:
    """A season of which alice is first, and four others."""
    for moves, player in enumerate([alice, bob, *(named(name) for name in ("carol", "dave", "erin"))]):
        submit_score(finish(player, moves=40 + moves), NOON)
    prepared_dailies(NOON + timedelta(days=1), days_ahead=9)
    seal_days(LAST_FINAL)
    close_seasons(LAST_FINAL)
    return Season.objects.get()


def test_a_season_is_listed_and_read_page_by_page(season: Season) -> None:
    anyone = Api()
    answer = anyone.get("/api/seasons/").json()
    assert ([one["slug"] for one in answer["seasons"]], answer["years"]) == ([SLUG], [2026])
    assert anyone.get("/api/seasons/?year=2025").json()["seasons"] == []
    assert anyone.get("/api/seasons/?division=main").json()["seasons"] == []
    first = anyone.get(f"/api/seasons/{SLUG}/?limit=3").json()
    assert [(row["rank"], row["player"]["handle"]) for row in first["honours"]] == [
        (1, "alice"),
        (2, "bob"),
        (3, "carol"),
    ]
    rest = anyone.get(f"/api/seasons/{SLUG}/", {"cursor": first["next"]}).json()
    rows = [*first["rows"], *rest["rows"]]
    assert [row["player"]["handle"] for row in rows] == ["alice", "bob", "carol", "dave", "erin"]
    assert rest["next"] is None
    assert anyone.get("/api/players/alice/honours/").json()["honours"][0]["season"]["slug"] == SLUG


def test_a_cursor_of_the_live_board_is_none_of_the_season(season: Season, finish: Finish) -> None:
    submit_score(finish(named("late")), NOON)
    cursor = Api().get(f"/api/boards/{MONTH}/?limit=2").json()["next"]
    assert refusal(Api().get(f"/api/seasons/{SLUG}/", {"cursor": cursor})) == (400, "bad_cursor")
    assert Client().get(f"/seasons/{SLUG}/?cursor={cursor}").status_code == 404


def test_what_is_not_closed_is_not_there() -> None:
    assert refusal(Api().get("/api/seasons/2026-12.standard.open/")) == (404, "unknown_season")
    assert refusal(Api().get("/api/players/nobody/honours/")) == (404, "unknown_player")
    assert Client().get("/seasons/nonsense/").status_code == 404
    assert "No season is closed yet." in Client().get("/seasons/?year=%C2%B2").content.decode()


def test_pages_show_the_season_its_honours_and_those_of_a_player(season: Season, alice: Player) -> None:
    client = Client()
    client.force_login(alice)
    assert f'href="/seasons/{SLUG}/"' in client.get("/seasons/").content.decode()
    page = client.get(f"/seasons/{SLUG}/").content.decode()
    assert "Your honour: 1st place" in page
    assert "November 2026, Standard, open" in page
    assert page.count('href="/players/erin/"') == 1
    profile = client.get("/players/alice/").content.decode()
    assert f'<a href="/seasons/{SLUG}/">November 2026, Standard, open</a>: 1st place' in profile
    assert "honours-heading" not in client.get("/players/erin/").content.decode()


def test_a_cached_page_of_a_season_costs_nothing(season: Season) -> None:
    etag = Api().get(f"/api/seasons/{SLUG}/")["ETag"]
    assert Api().get(f"/api/seasons/{SLUG}/", HTTP_IF_NONE_MATCH=etag).status_code == 304
