"""Leagues over REST and as pages."""

from __future__ import annotations

import pytest
from django.test import Client

from games.players.models import Player
from leaderboards.leagues.models import LeagueClosing, LeagueSeat
from tests.games.api import Api, refusal
from tests.leaderboards.conftest import Finish, named
from tests.leaderboards.leagues.test_closing import closed, days_pass, in_two_tiers, play

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]


@pytest.fixture
def closed_week(alice: Player, bob: Player, finish: Finish) -> list[Player]:
    """A week after which bob has moved down to tier 2, and dave up to tier 1."""
    players = [alice, named("carol"), bob, named("dave"), named("erin"), named("frank")]
    in_two_tiers(players)
    play(finish, players)
    days_pass(0)
    closed()
    return players


def test_the_tiers_and_a_group_are_read_by_everyone(closed_week: list[Player]) -> None:
    week = Api().get("/api/leagues/").json()["week"]
    assert (week["week"], week["first_day"], week["is_over"]) == ("2026-W48", "2026-11-23", False)
    assert week["tiers"] == [{"tier": 1, "groups": 1, "players": 50}, {"tier": 2, "groups": 1, "players": 50}]
    group = Api().get("/api/leagues/2026-W47/1/1/").json()
    assert group["week"]["is_over"]
    assert [(row["player"]["handle"], row["rank"], row["wins"], row["move"]) for row in group["rows"][:4]] == [
        ("alice", 1, 1, "stays"),
        ("carol", 2, 1, "stays"),
        ("bob", 3, 1, "down"),
        ("idle-0", None, None, "stays"),
    ]


def test_a_player_has_a_tier_a_group_and_past_weeks(closed_week: list[Player]) -> None:
    bobs = Api().get("/api/players/bob/leagues/").json()
    assert (bobs["tier"], bobs["group"]["tier"], len(bobs["group"]["rows"])) == (2, 2, 50)
    assert bobs["weeks"] == [{"week": "2026-W47", "tier": 1, "group": 1, "rank": 3, "move": "down"}]
    named("new")
    news = Api().get("/api/players/new/leagues/").json()
    assert (news["tier"], news["group"], news["weeks"]) == (None, None, [])


def test_what_is_not_there_is_not_there() -> None:
    assert Api().get("/api/leagues/").json() == {"week": None}
    for group in ("2026-W47/1/1", "2026-W48/0/0", "2026-W99/1/1", "x/1/1", f"2026-W47/1/{10**30}", "0001-W01/1/1"):
        assert refusal(Api().get(f"/api/leagues/{group}/")) == (404, "unknown_league")
        assert Client().get(f"/leagues/{group}/").status_code == 404
    assert refusal(Api().get("/api/players/nobody/leagues/")) == (404, "unknown_player")
    assert "There are no groups yet" in Client().get("/leagues/").content.decode()


def test_pages_show_the_own_group_past_weeks_and_the_tier_of_a_player(closed_week: list[Player], bob: Player) -> None:
    client = Client()
    assert "Your group" not in client.get("/leagues/").content.decode()
    client.force_login(bob)
    page = client.get("/leagues/").content.decode()
    assert "Your group: tier 2, group 1" in page
    assert '<a href="/leagues/2026-W47/1/1/">16 November 2026</a>: tier 1, rank 3, down' in page
    group = client.get("/leagues/2026-W47/1/1/").content.decode()
    assert "It is over, and this table never changes." in group
    assert group.count('class="you"') == 1
    assert "Tier 2" in client.get("/players/bob/").content.decode()
    assert "tier-heading" not in client.get(f"/players/{named('new').username}/").content.decode()


def test_who_rests_is_told_so(bob: Player) -> None:
    first, last = (
        LeagueClosing.objects.create(week=f"2026-11-{day}", sizes=[1], closed_at="2026-12-01T00:00Z")
        for day in ("09", "16")
    )
    LeagueSeat.objects.create(closing=first, player=bob, tier=1, group=1)
    assert last.sizes == [1]
    client = Client()
    client.force_login(bob)
    assert "You are still in tier 1" in client.get("/leagues/").content.decode()


def test_a_cached_group_costs_nothing(closed_week: list[Player]) -> None:
    etag = Api().get("/api/leagues/2026-W47/1/1/")["ETag"]
    assert Api().get("/api/leagues/2026-W47/1/1/", HTTP_IF_NONE_MATCH=etag).status_code == 304
