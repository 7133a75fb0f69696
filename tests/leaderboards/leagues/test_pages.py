"""Every group of a tier can be reached on the pages of the leagues, and one's own is the first to be shown."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from django.test import Client

from games.players.models import Player
from leaderboards.leagues.models import LeagueClosing, LeagueSeat
from tests.leaderboards.conftest import named

WEEK = "2026-W48"
GROUPS = 5

pytestmark = pytest.mark.django_db


@pytest.fixture
def closing() -> LeagueClosing:
    """A week with a group in tier 1 and five groups in tier 2, of a player each; `player-3` is in group 3."""
    closing = LeagueClosing.objects.create(
        week=date(2026, 11, 16), sizes=[1, 50 * GROUPS], closed_at=datetime(2026, 11, 24, tzinfo=UTC)
    )
    for tier, group in ((1, 1), *((2, group) for group in range(1, GROUPS + 1))):
        player = named("best" if tier == 1 else f"player-{group}")
        LeagueSeat.objects.create(closing=closing, player=player, tier=tier, group=group)
    return closing


def browser_of(handle: str) -> Client:
    client = Client()
    client.force_login(Player.objects.get(username=handle))
    return client


def links(client: Client, path: str) -> list[str]:
    """Return the groups of tier 2 to which a page leads."""
    return re.findall(rf'href="/leagues/{WEEK}/2/(\d+)/"', client.get(path).content.decode())


def test_from_the_first_group_one_gets_to_the_last(closing: LeagueClosing) -> None:
    reached, path = [], f"/leagues/{WEEK}/2/1/"
    while path:
        page = Client().get(path).content.decode()
        reached += re.findall(r"Group (\d+) of 5", page)
        onward = re.search(r'rel="next" href="([^"]+)"', page)
        path = onward[1] if onward else ""
    assert reached == ["1", "2", "3", "4", "5"]
    assert 'rel="prev"' not in Client().get(f"/leagues/{WEEK}/2/1/").content.decode()


@pytest.mark.parametrize(("wanted", "group"), [("4", 4), ("0", 1), ("99", 5), ("9" * 50, 5)])
def test_a_group_is_chosen_by_its_number(closing: LeagueClosing, wanted: str, group: int) -> None:
    answer = Client().get(f"/leagues/{WEEK}/2/1/", {"to": wanted})
    assert (answer.status_code, answer["Location"]) == (302, f"/leagues/{WEEK}/2/{group}/")


@pytest.mark.parametrize("wanted", ["", "x", "-1", "\u00b2"])
def test_no_number_leads_nowhere(closing: LeagueClosing, wanted: str) -> None:
    assert Client().get(f"/leagues/{WEEK}/2/1/", {"to": wanted}).status_code == 200


def test_ones_own_group_comes_first_and_others_lead_back_to_it(closing: LeagueClosing) -> None:
    browser = browser_of("player-3")
    shown = browser.get("/leagues/").content.decode()
    assert "Your group: tier 2, group 3" in shown
    assert "yours is group 3" in shown
    assert links(browser, "/leagues/") == ["2", "4", "3"]
    assert links(Client(), "/leagues/") == ["1"]
    assert links(browser, f"/leagues/{WEEK}/2/1/") == ["3", "2"]
    assert links(browser, f"/leagues/{WEEK}/2/3/") == ["2", "4"]
    assert links(browser_of("best"), f"/leagues/{WEEK}/2/5/") == ["4"]


def test_a_tier_of_one_group_has_no_way_to_others(closing: LeagueClosing) -> None:
    page = Client().get(f"/leagues/{WEEK}/1/1/").content.decode()
    assert "Groups of the tier" not in page
