"""The seasons and the histograms of a club are those of its members."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from games.players.models import Player
from leaderboards.audit.sealing import seal_days
from leaderboards.clubs.membership import join, leave
from leaderboards.clubs.models import Club
from leaderboards.seasons.seasons import close_seasons
from tests.calendar import prepared_dailies
from tests.games.api import Api, refusal
from tests.leaderboards.api import ranks
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, Finish, named, submit_score
from tests.leaderboards.seasons.test_rest import LAST_FINAL
from tests.leaderboards.seasons.test_rest import SLUG as SEASON

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]


@pytest.fixture
def season(club: Club, alice: Player, bob: Player, finish: Finish) -> str:
    """A season in which mallory is before alice and bob, whose club carol joins on its last day."""
    carol = named("carol")
    for moves, player in enumerate((named("mallory"), alice, bob, carol)):
        submit_score(finish(player, moves=40 + moves), NOON)
    prepared_dailies(NOON + timedelta(days=1), days_ahead=9)
    join(club.pk, carol, NOON + timedelta(days=10))
    seal_days(LAST_FINAL)
    close_seasons(LAST_FINAL)
    return f"/api/clubs/{club.pk}/seasons/{SEASON}/"


def test_a_season_is_that_of_those_who_were_members_on_its_last_day(season: str, club: Club, bob: Player) -> None:
    leave(club.pk, bob, LAST_FINAL)
    first = Api().get(season, {"limit": 1})
    rest = Api().get(season, {"cursor": first.json()["next"]})
    assert [*ranks(first), *ranks(rest)] == [(1, "alice"), (2, "bob")]
    assert rest.json()["next"] is None
    honours = [(row["rank"], row["player"]["handle"]) for row in first.json()["honours"]]
    assert honours == [(2, "alice"), (3, "bob")]
    assert Api().get(season, HTTP_IF_NONE_MATCH=Api().get(season)["ETag"]).status_code == 304


def test_a_cursor_of_the_season_of_everyone_is_none_of_the_club(season: str) -> None:
    cursor = Api().get(f"/api/seasons/{SEASON}/", {"limit": 1}).json()["next"]
    assert refusal(Api().get(season, {"cursor": cursor})) == (400, "bad_cursor")


def test_what_is_not_there_is_not_there(season: str, club: Club) -> None:
    assert refusal(Api().get(f"/api/clubs/{'0' * 12}/seasons/{SEASON}/")) == (404, "unknown_club")
    assert refusal(Api().get(f"/api/clubs/{club.pk}/seasons/2026-12.standard.open/")) == (404, "unknown_season")
    assert Client().get(f"/clubs/{club.pk}/?season=2026-12.standard.open").status_code == 404


def test_a_tab_of_the_page_shows_the_season(season: str, club: Club) -> None:
    page = Client().get(f"/clubs/{club.pk}/", {"board": FEWEST_MOVES}).content.decode()
    assert f'href="?season={SEASON}">Season</a>' in page
    shown = Client().get(f"/clubs/{club.pk}/", {"season": SEASON}).content.decode()
    assert "November 2026, Standard, open" in shown
    table = shown[shown.index("<tbody>") : shown.index("</tbody>")]
    assert [name in table for name in ("Alice", "Bob", "Carol", "Mallory")] == [True, True, False, False]
    assert f'href="/seasons/{SEASON}/">' in shown


def test_a_histogram_counts_the_members_alone(club: Club, alice: Player, bob: Player, finish: Finish) -> None:
    for player, moves in ((alice, 41), (bob, 44), (named("mallory"), 30)):
        submit_score(finish(player, moves=moves), NOON)
    address = f"/api/clubs/{club.pk}/boards/{FEWEST_MOVES}/histogram/"
    found = Api().get(f"{address}?field=moves&bins=4").json()
    assert (found["start"], found["width"], found["counts"]) == (41, 1, [1, 0, 0, 1])
    assert refusal(Api().get(address, {"field": "points"}))[0] == 400
    page = Client().get(f"/clubs/{club.pk}/", {"board": FEWEST_MOVES}).content.decode()
    assert 'class="bars"' in page
