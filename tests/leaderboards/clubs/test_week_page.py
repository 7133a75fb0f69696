"""The page of the clubs of a week."""

from __future__ import annotations

import pytest
from django.test import Client

from games.players.models import Player
from leaderboards.boards.submission import submit
from leaderboards.clubs.membership import leave
from leaderboards.clubs.models import Club
from tests.leaderboards.clubs.test_pages import browser_of
from tests.leaderboards.clubs.test_week import club_of
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, WEEK, Finish, named

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]


def body_of(client: Client, **query: str) -> str:
    page = client.get("/clubs/week/", query).content.decode()
    return page[page.index("<tbody>") : page.index("</tbody>")]


def test_clubs_are_in_order_and_ones_own_stands_out(club: Club, alice: Player, bob: Player, finish: Finish) -> None:
    rival = club_of("Red Kites", [named("carol")])
    submit([finish(bob).pk, finish(alice).pk, finish(named("carol-2")).pk], NOON)
    submit([finish(rival.memberships.get().player).pk], NOON)
    rows = body_of(browser_of(alice)).split("</tr>")
    assert "Oxbow Club" in rows[0]
    assert 'class="you"' in rows[0]
    assert f'href="/clubs/{rival.pk}/"' in rows[1]
    assert "you" not in rows[1]
    assert body_of(Client(), board=WEEK) == body_of(Client())


def test_a_club_that_everyone_left_keeps_its_row_without_a_link(club: Club, alice: Player, finish: Finish) -> None:
    submit([finish(alice).pk], NOON)
    for one in club.memberships.all():
        leave(club.pk, one.player, NOON)
    assert "Oxbow Club" in body_of(Client())
    assert f"/clubs/{club.pk}/" not in body_of(Client())


def test_pages_follow_each_other(alice: Player, finish: Finish, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leaderboards.clubs.week_pages.ROWS", 1)
    for name in ("Red Kites", "Blue Tits"):
        club_of(name, [alice])
    submit([finish(alice).pk], NOON)
    page = Client().get("/clubs/week/").content.decode()
    cursor = page.split("cursor=")[1].split('"')[0]
    first, second = body_of(Client()), body_of(Client(), board=WEEK, cursor=cursor)
    assert {"Red Kites" in first, "Red Kites" in second} == {True, False}


def test_weeks_lead_to_each_other_and_nowhere_else(alice: Player, finish: Finish) -> None:
    finish(alice, days=-7)
    page = Client().get("/clubs/week/").content.decode()
    assert "board=weekly.2026-W46.standard.open.points" in page
    assert "2026-W48" not in page
    assert "2026-W47" in Client().get("/clubs/week/", {"board": WEEK.replace("W47", "W46")}).content.decode()
    for slug in (FEWEST_MOVES, "weekly.2026-W46.standard.main", "nonsense", WEEK.replace("2026", "9999")):
        assert Client().get("/clubs/week/", {"board": slug}).status_code == 404
    assert Client().get("/clubs/week/", {"cursor": "nonsense"}).status_code == 400
    assert "No club has points" in Client().get("/clubs/week/", {"board": WEEK}).content.decode()


def test_before_the_first_day_there_is_no_table(db: None) -> None:
    assert "No deal is open." in Client().get("/clubs/week/").content.decode()
