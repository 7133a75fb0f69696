"""A request with an `Idempotency-Key` is carried out once, and only who sent it gets its answer again."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from games.play.models import Game
from games.players.models import KeptAnswer, Player
from games.players.repeating import KEPT, LEASE, Repeatable, begin, forget_kept_answers
from tests.games.api import Api

KEY = "f0f6f5c2-4a53-4a8e-9c57-d39f2c2a6a8c"
PRACTICE = {"kind": "practice", "rules": "standard"}

pytestmark = pytest.mark.django_db(transaction=True)


def post(client: Client | Api, path: str, body: dict[str, Any], key: str = KEY) -> Any:
    return client.post(path, body, "json" if isinstance(client, Api) else "application/json", HTTP_IDEMPOTENCY_KEY=key)


def test_a_guest_who_sends_it_again_gets_the_same_token_and_no_second_account(client: Client) -> None:
    first, again = (post(client, "/api/guests/", {"display_name": "Ada"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.content, again.headers["Idempotent-Replayed"]) == (first.content, "true")
    assert "Idempotent-Replayed" not in first.headers
    assert Player.objects.filter(display_name="Ada").count() == 1
    other = post(client, "/api/guests/", {"display_name": "Ada"}, key=KEY[::-1])
    assert other.json()["token"] != first.json()["token"]


def test_nobody_else_gets_the_answer_and_the_database_does_not_tell_it(client: Client) -> None:
    token = post(client, "/api/guests/", {"display_name": "Ada"}).json()["token"]
    mallory = Client(REMOTE_ADDR="192.0.2.66")
    assert post(mallory, "/api/guests/", {"display_name": "Ada"}).json()["token"] != token
    for kept in KeptAnswer.objects.all():
        assert token.encode() not in bytes(kept.sealed or b"")
        assert KEY not in kept.place


def test_a_practice_game_and_a_race_are_made_once_for_each_player(as_alice: Api, as_bob: Api) -> None:
    games = [post(api, "/api/games/", PRACTICE) for api in (as_alice, as_alice, as_bob)]
    assert len({game.json()["id"] for game in games}) == Game.objects.count() == 2
    assert games[1].headers["Location"] == games[0].headers["Location"]


@pytest.mark.parametrize(
    ("key", "body", "refusal"),
    [
        (KEY, {"kind": "practice", "rules": "relaxed"}, (422, "idempotency_key_reused")),
        ("too short", PRACTICE, (400, "bad_idempotency_key")),
        ("x" * 101, PRACTICE, (400, "bad_idempotency_key")),
        ("ä" * 20, PRACTICE, (400, "bad_idempotency_key")),
    ],
)
def test_a_key_is_for_one_request(as_alice: Api, key: str, body: dict[str, str], refusal: tuple[int, str]) -> None:
    post(as_alice, "/api/games/", PRACTICE)
    answer = post(as_alice, "/api/games/", body, key=key)
    assert (answer.status_code, answer.json()["code"]) == refusal
    assert Game.objects.count() == 1


@pytest.mark.parametrize("body", [r'{"display_name": "\ud800"}', r'{"\udfff": 1}', r'"\ud800"', "[" * 900 + "]" * 900])
@pytest.mark.parametrize("path", ["/api/guests/", "/api/games/", "/api/races/"])
def test_a_body_that_nobody_can_read_is_refused_as_without_a_key(as_alice: Api, path: str, body: str) -> None:
    credentials = {"authorization": f"Bearer {as_alice.token}"}
    plain, keyed = (
        Client().post(path, body, "application/json", headers=credentials | key)
        for key in ({}, {"idempotency-key": KEY})
    )
    assert (plain.status_code, keyed.status_code, keyed.content) == (400, 400, plain.content)
    assert not KeptAnswer.objects.exists()


def test_the_order_of_fields_makes_no_other_request(as_alice: Api) -> None:
    first = post(as_alice, "/api/games/", PRACTICE)
    again = post(as_alice, "/api/games/", dict(reversed(PRACTICE.items())))
    assert again.json()["id"] == first.json()["id"]


def test_what_was_refused_may_be_tried_again(as_alice: Api) -> None:
    for _ in range(2):
        assert (
            post(as_alice, "/api/games/", {"kind": "practice", "rules": "spider"}).json()["code"] == "unknown_rule_set"
        )
    assert not KeptAnswer.objects.exists()


def test_two_at_once_are_carried_out_once_and_a_dead_server_keeps_nobody_waiting_for_ever(
    as_alice: Api, clock: time_machine.Traveller, now: datetime
) -> None:
    assert as_alice.player is not None
    asked = Repeatable(KEY, f"player {as_alice.player.pk}", "/api/games/", b'{"kind":"practice","rules":"standard"}')
    assert begin(asked, now) is None
    second = post(as_alice, "/api/games/", PRACTICE)
    assert (second.status_code, second.json()["code"]) == (409, "still_under_way")
    assert second.headers["Retry-After"] == "1"
    clock.move_to(now + LEASE + timedelta(seconds=1), tick=False)
    assert post(as_alice, "/api/games/", PRACTICE).status_code == 201
    assert Game.objects.count() == 1


def test_answers_are_kept_for_a_day(as_alice: Api, now: datetime) -> None:
    post(as_alice, "/api/games/", PRACTICE)
    forget_kept_answers(now + KEPT)
    assert KeptAnswer.objects.count() == 1
    forget_kept_answers(now + KEPT + timedelta(seconds=1))
    assert not KeptAnswer.objects.exists()
