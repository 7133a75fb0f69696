"""The notices of a club: who joined and left, who won a day that is final, and which records stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.players.models import Player
from games.runtime.memory import forget_everything
from leaderboards.boards.submission import submit
from leaderboards.clubs.founding import found
from leaderboards.clubs.membership import join, leave
from leaderboards.clubs.models import Club, MutedPlayer
from tests.games.api import Api, refusal
from tests.leaderboards.clubs.conftest import EVE, terms
from tests.leaderboards.clubs.test_pages import browser_of
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, Finish, ban, named, submit_score

pytestmark = pytest.mark.django_db
FINAL = datetime.fromisoformat("2026-11-22T00:30:00+00:00")
Told = Callable[..., list[tuple[str, str]]]


@pytest.fixture
def told() -> Iterator[Told]:
    """Return a function that reads who did what, newest first, at a time, with the pages of the API."""

    def told(club: Club, at: datetime, reader: Player | None = None, limit: int = 100) -> list[tuple[str, str]]:
        forget_everything()
        notices, query = list[dict[str, Any]](), {"limit": limit}
        with time_machine.travel(at, tick=False):
            api = Api(reader) if reader else Api()
            while query:
                page = api.get(f"/api/clubs/{club.pk}/notices/", query).json()
                notices += page["notices"]
                query = {"limit": limit, "cursor": page["next"]} if page["next"] else {}
        return [(one["player"]["handle"], one["kind"]) for one in notices]

    yield told
    forget_everything()


def test_who_wins_a_day_is_told_once_it_is_final(club: Club, bob: Player, finish: Finish, told: Told) -> None:
    submit([finish(named("carol"), moves=30).pk, finish(bob, moves=40).pk], NOON)
    came = [("bob", "joined"), ("alice", "joined")]
    assert told(club, FINAL - timedelta(seconds=1)) == came
    assert told(club, FINAL) == [("bob", "won"), ("bob", "record"), *came]
    with time_machine.travel(FINAL, tick=False):
        first = Api().get(f"/api/clubs/{club.pk}/notices/").json()["notices"][0]
    assert (first["first"]["board"], first["first"]["moves"]) == (FEWEST_MOVES, 40)
    assert datetime.fromisoformat(first["at"]) == FINAL


def test_a_winner_was_a_member_when_the_day_opened(club: Club, alice: Player, finish: Finish, told: Told) -> None:
    carol = named("carol")
    join(club.pk, carol, NOON)
    submit([finish(carol, moves=30).pk, finish(alice, moves=40).pk], NOON)
    assert ("alice", "won") in told(club, FINAL)
    assert ("carol", "won") not in told(club, FINAL)


def test_who_left_won_what_they_won_and_a_ban_takes_it(club: Club, bob: Player, finish: Finish, told: Told) -> None:
    submit_score(finish(bob), NOON)
    leave(club.pk, bob, NOON)
    assert told(club, FINAL)[:2] == [("bob", "won"), ("bob", "left")]
    ban(bob, "cheated", None, NOON)
    assert told(club, FINAL)[0] == ("bob", "left")


def test_a_record_stands_until_it_is_beaten(club: Club, alice: Player, bob: Player, finish: Finish, told: Told) -> None:
    submit_score(finish(bob, moves=40), NOON)
    submit_score(finish(alice, moves=50, days=1), NOON + timedelta(days=1))
    assert [who for who, kind in told(club, FINAL + timedelta(days=1)) if kind == "record"] == ["bob"]
    submit_score(finish(alice, moves=30, days=2), NOON + timedelta(days=2))
    beaten, final = FINAL + timedelta(days=2, seconds=-1), FINAL + timedelta(days=2)
    assert [who for who, kind in told(club, beaten) if kind == "record"] == []
    assert [who for who, kind in told(club, final) if kind == "record"] == ["alice"]


def test_a_record_is_one_of_those_who_are_on_the_clubs_table(
    club: Club, alice: Player, bob: Player, finish: Finish, told: Told
) -> None:
    def holders(at: datetime) -> list[str]:
        return [who for who, kind in told(club, at) if kind == "record"]

    carol, hour, midnight = named("carol"), timedelta(hours=1), FINAL.replace(minute=0) + timedelta(days=1)
    submit([finish(player, moves=moves).pk for player, moves in ((carol, 20), (bob, 30), (alice, 40))], NOON)
    assert holders(FINAL) == ["bob"]
    join(club.pk, carol, FINAL + hour)
    leave(club.pk, bob, FINAL + hour)
    assert holders(FINAL + 2 * hour) == ["bob"]
    assert holders(midnight) == ["carol"]
    leave(club.pk, carol, midnight + hour)
    assert holders(midnight + timedelta(days=1)) == ["alice"]


def test_a_game_without_a_removed_card_wins_nothing(club: Club, bob: Player, finish: Finish, told: Told) -> None:
    submit_score(finish(bob, cards_left=28), NOON)
    assert {kind for _, kind in told(club, FINAL)} == {"joined"}


def test_what_is_older_than_a_fortnight_is_not_told(club: Club, told: Told) -> None:
    assert told(club, EVE + timedelta(days=14))
    assert told(club, EVE + timedelta(days=14, seconds=1)) == []


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(times=st.lists(st.integers(0, 3), min_size=1, max_size=8), limit=st.integers(1, 4))
def test_pages_neither_skip_nor_repeat(times: list[int], limit: int, told: Told) -> None:
    club = Club.objects.create(
        name="Red Kites", name_key=f"red {Club.objects.count()}", emblem="sc-blue", admission="open", founded_at=EVE
    )
    for hours in times:
        player = named(f"player-{Player.objects.count()}")
        club.memberships.create(player=player, joined_at=EVE + timedelta(hours=hours))
    assert told(club, NOON, limit=limit) == told(club, NOON)
    assert len(set(told(club, NOON))) == len(times)


def test_a_muted_player_is_hidden_from_one_reader(club: Club, alice: Player, bob: Player, told: Told) -> None:
    address = "/api/clubs/muted/bob/"
    muted = Api(alice).put(address, {}).json()["players"]
    assert [one["handle"] for one in muted] == ["bob"]
    assert told(club, NOON, alice) == [("alice", "joined")]
    assert len(told(club, NOON)) == len(told(club, NOON, bob)) == 2
    Api(alice).put("/api/clubs/muted/alice/", {})
    assert Api(alice).delete(address).json() == {"players": []}
    assert len(told(club, NOON, alice)) == 2


def test_only_so_many_are_muted(alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leaderboards.clubs.muting.MOST_MUTED", 1)
    MutedPlayer.objects.create(by=alice, player=named("carol"))
    assert refusal(Api(alice).put("/api/clubs/muted/bob/", {})) == (409, "too_many_muted")
    assert refusal(Api(alice).put("/api/clubs/muted/nobody/", {})) == (404, "unknown_player")
    assert refusal(Api().put("/api/clubs/muted/bob/", {})) == (401, "not_signed_in")


@pytest.mark.usefixtures("_noon")
def test_a_cursor_is_one_of_its_club(club: Club, alice: Player) -> None:
    other = found(alice, terms("Red Kites"), EVE)
    cursor = Api().get(f"/api/clubs/{club.pk}/notices/", {"limit": 1}).json()["next"]
    assert refusal(Api().get(f"/api/clubs/{other.pk}/notices/", {"cursor": cursor})) == (400, "bad_cursor")
    for cursor in ("nonsense", "a:b:c"):
        assert refusal(Api().get(f"/api/clubs/{club.pk}/notices/", {"cursor": cursor})) == (400, "bad_cursor")
    assert refusal(Api().get(f"/api/clubs/{'0' * 12}/notices/")) == (404, "unknown_club")


@time_machine.travel(FINAL, tick=False)
def test_page_and_feed_tell_the_same(club: Club, bob: Player, finish: Finish) -> None:
    bob.display_name = "<Bob>"
    bob.save()
    submit_score(finish(bob, cards_left=3, moves=41), NOON)
    page = Client().get(f"/clubs/{club.pk}/").content.decode()
    feed = Client().get(f"/feeds/clubs/{club.pk}/")
    assert f'type="application/atom+xml" title="Oxbow Club" href="/feeds/clubs/{club.pk}/"' in page
    assert "&lt;Bob&gt;</bdi></a> won Standard (open) on 20 November 2026: 3 cards left after 41 moves." in page
    assert "&lt;Bob&gt; won Standard (open) on 20 November 2026" in feed.content.decode()
    assert Client().get(f"/feeds/clubs/{club.pk}/", headers={"If-None-Match": feed["ETag"]}).status_code == 304
    assert Client().get("/feeds/clubs/nowhere/").status_code == 404


@pytest.mark.usefixtures("_noon")
def test_a_member_mutes_on_the_page(club: Club, alice: Player) -> None:
    browser, address = browser_of(alice), f"/clubs/{club.pk}/notices/"
    browser.post(address, {"act": "mute", "handle": "Bob"})
    page = browser.get(address).content.decode()
    assert "Bob</bdi></a> joined" not in page
    assert "Show again" in page
    browser.post(address, {"act": "unmute", "handle": "bob"})
    assert "Bob</bdi></a> joined" in browser.get(address).content.decode()
    assert Client().post(address, {"act": "mute", "handle": "bob"}).status_code == 303
    assert not MutedPlayer.objects.exists()
