"""Bots compete with bots: an account that is declared as one stays one, and never has a rank among people."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from games.accounts.guests import create_guest
from games.players.models import Player
from games.races.models import Rating
from leaderboards.boards.models import Entry
from leaderboards.bots.bots import active_bots
from tests.leaderboards.conftest import NOON, Finish, named, submit_score

PASSWORD = "a good long password"


@pytest.fixture
def api(db: None) -> APIClient:
    return APIClient()


def register(api: APIClient, handle: str, **more: object) -> str:
    answer = api.post("/api/register/", {"handle": handle, "password": PASSWORD, **more}, format="json")
    assert answer.status_code == 201, answer.content
    return str(answer.json()["token"])


def test_a_named_account_says_that_it_is_a_bot_and_no_request_takes_that_back(api: APIClient) -> None:
    token = register(api, "deep-thirteen", is_bot=True)
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    assert api.get("/api/me/").json()["is_bot"] is True
    for body in ({"is_bot": False}, {"display_name": "A person", "is_bot": False}):
        assert api.patch("/api/me/", body, format="json").json()["code"] == "invalid_request"
    assert Player.objects.get(username="deep-thirteen").is_bot


@pytest.mark.parametrize("said", [{}, {"is_bot": False}, {"is_bot": True}])
def test_a_bot_that_gets_a_name_stays_a_bot_whatever_it_says_then(api: APIClient, said: dict[str, bool]) -> None:
    token = create_guest("Thirteen", is_bot=True).token  # a name drawn by chance may be like the password
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    register(api, "deep-thirteen", **said)
    assert Player.objects.get().is_bot


def test_a_guest_may_become_a_bot_with_its_name_but_not_by_something_else_than_a_yes(api: APIClient) -> None:
    token = create_guest().token
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    body = {"handle": "deep-thirteen", "password": PASSWORD, "is_bot": "yes"}
    assert api.post("/api/register/", body, format="json").json()["code"] == "invalid_request"
    register(api, "deep-thirteen", is_bot=True)
    assert Player.objects.get().is_bot


def test_a_bots_games_are_on_boards_of_bots_alone(robot: Player, alice: Player, finish: Finish) -> None:
    for player in (robot, alice):
        submit_score(finish(player), NOON)
    slugs = Entry.objects.filter(player=robot).values_list("board__slug", flat=True)
    assert slugs
    assert all(".open-bots." in slug for slug in slugs)


def test_bots_that_played_lately_are_listed_with_those_of_most_wins_first(
    client: Client, api: APIClient, robot: Player, alice: Player, finish: Finish
) -> None:
    loser, old = named("loser", is_bot=True), named("old", is_bot=True)
    submit_score(finish(robot), NOON)
    submit_score(finish(loser, cards_left=3), NOON)
    submit_score(finish(alice), NOON)
    finish(old, days=-30)
    with time_machine.travel(NOON, tick=False):
        told, page = api.get("/api/bots/"), client.get("/bots/").content.decode()
    assert [(bot["player"]["handle"], bot["won"], bot["days"]) for bot in told.json()["bots"]] == [
        ("robot", 1, 1),
        ("loser", 0, 1),
    ]
    assert "daily.2026-11-20.standard.open-bots.fewest-moves" in told.json()["boards"]
    assert "public" in told["Cache-Control"]
    assert page.index("Robot") < page.index("Loser")
    assert "Alice" not in page
    assert "/boards/daily.2026-11-20.standard.open-bots.fewest-moves/" in page


def test_a_game_that_is_still_played_and_a_closed_account_are_not_listed(robot: Player, finish: Finish) -> None:
    submit_score(finish(robot), NOON)
    assert [bot.player for bot in active_bots(NOON)] == [robot]
    Player.objects.filter(pk=robot.pk).update(is_active=False)
    assert active_bots(NOON + timedelta(minutes=1)) == []


def rate(player: Player, family: str, mean: float, races: int) -> None:
    Rating.objects.create(player=player, family=family, mean=mean, deviation=190, races=races)


def test_owners_and_ratings_that_are_not_provisional_are_listed(
    client: Client, api: APIClient, robot: Player, alice: Player, finish: Finish
) -> None:
    owned, orphan = named("owned", is_bot=True, owner=alice), named("orphan", is_bot=True, owner=named("gone"))
    Player.objects.filter(username="gone").update(is_active=False)
    for bot in (owned, robot, orphan):
        submit_score(finish(bot), NOON)
    rate(owned, "thirteen", 1684.4, 14)
    rate(owned, "two-decks", 1900, 9)
    with time_machine.travel(NOON, tick=False):
        told, page = api.get("/api/bots/").json()["bots"], client.get("/bots/").content.decode()
    by_handle = {bot["player"]["handle"]: bot for bot in told}
    assert by_handle["owned"]["owner"] == {"handle": "alice", "display_name": "Alice", "is_bot": False}
    assert (by_handle["robot"]["owner"], by_handle["orphan"]["owner"]) == (None, None)
    assert by_handle["owned"]["ratings"] == [{"family": "thirteen", "rating": 1684, "uncertainty": 380, "races": 14}]
    assert by_handle["robot"]["ratings"] == []
    assert '<a href="/players/alice/"><bdi>Alice</bdi></a>' in page
    assert "1684 ± 380" in page
    assert "1900" not in page
    assert "Gone" not in page


def test_the_table_of_many_bots_takes_as_many_queries_as_that_of_one(
    client: Client, robot: Player, finish: Finish
) -> None:
    counts = []
    for number in range(3):
        bot = named(f"bot-{number}", is_bot=True, owner=named(f"owner-{number}"))
        rate(bot, "thirteen", 1600, 12)
        submit_score(finish(bot), NOON)
        with time_machine.travel(NOON, tick=False), CaptureQueriesContext(connection) as queries:
            assert f"Owner-{number}" in client.get("/bots/").content.decode()
        counts.append(len(queries))
    assert len(set(counts)) == 1
