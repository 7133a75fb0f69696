"""Owners say which language model plays a bot; the lists of bots show it, and can be narrowed to models."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine
from django.test import Client

from games.personal_data.erasure import erase_player
from games.players.models import Player
from tests.leaderboards.conftest import NOON, Finish, named, submit_score

BOARD = "/boards/daily.2026-11-20.standard.open-bots.fewest-moves/"
PAGE = "/account/bots/robot/"


@pytest.fixture
def robot(alice: Player) -> Player:
    Player.objects.filter(pk=alice.pk).update(is_guest=False)
    return named("robot", is_bot=True, owner=alice)


def html(client: Client, address: str) -> str:
    with time_machine.travel(NOON, tick=False):
        return client.get(address).content.decode()


def test_the_owner_says_which_model_plays_a_bot_and_takes_it_back(client: Client, alice: Player, robot: Player) -> None:
    client.force_login(alice)
    assert client.post(PAGE, {"model": "<i>Example</i> 5"})["Location"] == PAGE
    assert 'value="&lt;i&gt;Example&lt;/i&gt; 5"' in client.get(PAGE).content.decode()
    page = client.get("/players/robot/").content.decode()
    assert "played by the language model <bdi>&lt;i&gt;Example&lt;/i&gt; 5</bdi>" in page
    client.post(PAGE, {"model": ""})
    assert "language model" not in client.get("/players/robot/").content.decode()


def test_a_model_changes_as_often_as_a_name_because_all_kept_pages_are_made_again(
    client: Client, alice: Player, robot: Player
) -> None:
    client.force_login(alice)
    for number in range(10):
        assert client.post(PAGE, {"model": f"Example {number}"}).status_code == 303
        assert client.post(PAGE, {"model": f"Example {number}"}).status_code == 303  # changes nothing
    assert "Too many attempts" in client.post(PAGE, {"model": "Example 10"}).text
    robot.refresh_from_db()
    assert robot.model == "Example 9"


@pytest.mark.parametrize("model", ["a" * 41, "\u202eexample"])
def test_a_name_that_never_ends_or_cannot_be_read_is_refused(
    client: Client, alice: Player, robot: Player, model: str
) -> None:
    client.force_login(alice)
    page = client.post(PAGE, {"model": model})
    assert page.status_code == 200
    assert "mistake" in page.content.decode()
    robot.refresh_from_db()
    assert robot.model == ""


def test_nobody_says_it_of_a_bot_of_somebody_else(client: Client, bob: Player, robot: Player) -> None:
    Player.objects.filter(pk=bob.pk).update(is_guest=False)
    client.force_login(bob)
    assert client.post(PAGE, {"model": "Example 5"}).status_code == 404
    robot.refresh_from_db()
    assert robot.model == ""


def test_bots_and_their_boards_can_be_narrowed_to_models(
    client: Client, alice: Player, robot: Player, finish: Finish
) -> None:
    Player.objects.filter(pk=robot.pk).update(model="Example 5")
    other = named("other", is_bot=True)
    for moves, player in ((38, other), (40, robot), (39, alice)):
        submit_score(finish(player, moves=moves), NOON)
    told = {bot["player"]["handle"]: bot["model"] for bot in _bots(client)}
    assert told == {"robot": "Example 5", "other": None}
    assert all(name in html(client, "/bots/") for name in ("Other", "Example 5"))
    narrowed = html(client, "/bots/?models=1")
    assert "Example 5" in narrowed
    assert "Other" not in narrowed
    whole, narrowed = html(client, BOARD), html(client, f"{BOARD}?models=1")
    assert 'href="?models=1"' in whole
    assert [name in whole for name in ("Robot", "Other", "Example 5")] == [True, True, False]
    assert [name in narrowed for name in ("Robot", "Other", "Example 5")] == [True, False, True]
    assert '<i class="medal gold">1</i>' in narrowed
    assert "data-follow" not in narrowed  # it does not change by itself
    people = html(client, f"{BOARD.replace('-bots', '')}?models=1")
    assert "Alice" in people
    assert 'href="?models=1"' not in people


def _bots(client: Client) -> list[dict[str, Any]]:
    with time_machine.travel(NOON, tick=False):
        told: list[dict[str, Any]] = client.get("/api/bots/").json()["bots"]
    return told


def test_a_deleted_bot_is_no_longer_said_to_be_a_model(robot: Player) -> None:
    Player.objects.filter(pk=robot.pk).update(model="Example 5")
    robot.refresh_from_db()
    erase_player(robot, "the owner deleted the bot", None, NOON)
    robot.refresh_from_db()
    assert robot.model == ""
