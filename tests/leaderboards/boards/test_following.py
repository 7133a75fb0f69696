from __future__ import annotations

from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from games.players.models import Player
from leaderboards.boards import following
from leaderboards.boards.models import Following
from tests.leaderboards.conftest import FASTEST, NOON, Finish, named, submit_score

pytestmark = pytest.mark.usefixtures("_noon")


@pytest.fixture
def as_bob(bob: Player) -> APIClient:
    client = APIClient()
    client.force_authenticate(bob)
    return client


def handles(response: Any) -> list[str]:
    return [player["handle"] for player in response.json()["players"]]


def test_bob_follows_alice_and_stops(as_bob: APIClient, alice: Player) -> None:
    assert handles(as_bob.put("/api/boards/following/alice/")) == ["alice"]
    assert handles(as_bob.put("/api/boards/following/alice/")) == ["alice"]
    assert handles(as_bob.get("/api/boards/following/")) == ["alice"]
    assert handles(as_bob.delete("/api/boards/following/alice/")) == []
    assert handles(as_bob.delete("/api/boards/following/alice/")) == []


def test_bob_sees_how_those_do_whom_he_follows(as_bob: APIClient, alice: Player, bob: Player, finish: Finish) -> None:
    for place, player in enumerate((named("carol"), alice, named("dave"), bob)):
        submit_score(finish(player, elapsed_ms=place), NOON)
    following.follow(bob, "alice")
    with time_machine.travel(NOON, tick=False):
        rows = as_bob.get(f"/api/boards/{FASTEST}/", {"following": "true"}).json()["rows"]
    assert [(row["rank"], row["player"]["handle"]) for row in rows] == [(1, "alice"), (2, "bob")]


@pytest.mark.usefixtures("daily")
def test_someone_unknown_follows_nobody() -> None:
    with time_machine.travel(NOON, tick=False):
        response = APIClient().get(f"/api/boards/{FASTEST}/", {"following": "true"})
    assert (response.status_code, response.json()["code"]) == (401, "not_signed_in")
    assert APIClient().put("/api/boards/following/alice/").status_code == 401
    assert APIClient().get("/api/boards/following/").status_code == 401


@pytest.mark.parametrize(
    ("handle", "refusal"), [("bob", (400, "invalid_request")), ("nobody", (404, "unknown_player"))]
)
def test_bob_cannot_follow_himself_or_nobody(as_bob: APIClient, handle: str, refusal: tuple[int, str]) -> None:
    response = as_bob.put(f"/api/boards/following/{handle}/")
    assert (response.status_code, response.json()["code"]) == refusal
    assert not Following.objects.exists()


def test_nobody_follows_everybody(as_bob: APIClient, alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "MOST_FOLLOWED", 1)
    as_bob.put("/api/boards/following/alice/")
    named("carol")
    response = as_bob.put("/api/boards/following/carol/")
    assert (response.status_code, response.json()["code"]) == (400, "invalid_request")
    assert handles(as_bob.put("/api/boards/following/alice/")) == ["alice"]
