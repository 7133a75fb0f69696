from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings

from games.keys.authentication import ticket_holder
from games.players.made_up_names import ADJECTIVES, BIRDS
from games.players.models import Player
from tests.games.api import Api, refusal

pytestmark = pytest.mark.usefixtures("clock")


@pytest.mark.django_db(transaction=True)
def test_anyone_becomes_a_guest_and_can_prove_it(anyone: Api) -> None:
    guest = anyone.post("/api/guests/", {"display_name": " Ada ", "is_bot": True}).json()
    assert guest["player"]["display_name"] == "Ada"
    assert (guest["player"]["is_guest"], guest["player"]["is_bot"]) == (True, True)
    assert guest["expires_at"] == "2026-03-31T12:00:00Z"
    anyone.credentials(HTTP_AUTHORIZATION=f"Bearer {guest['token']}")
    assert anyone.get("/api/me/").json() == guest["player"]


@pytest.mark.django_db(transaction=True)
def test_a_guest_needs_no_name_and_no_body(anyone: Api) -> None:
    guest = anyone.post("/api/guests/").json()
    adjective, bird = guest["player"]["display_name"].split()
    assert (adjective in ADJECTIVES, bird in BIRDS) == (True, True)
    assert guest["player"]["is_bot"] is False


@pytest.mark.django_db(transaction=True)
def test_a_wrong_token_does_not_keep_anyone_from_becoming_a_guest(anyone: Api) -> None:
    anyone.credentials(HTTP_AUTHORIZATION="Bearer 0123456789abcdef")
    assert anyone.post("/api/guests/", {}).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_one_address_gets_so_many_guests_an_hour(anyone: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "guests", (2, 3600))
    assert [anyone.post("/api/guests/").status_code for _ in range(3)] == [201, 201, 429]
    refused = anyone.post("/api/guests/")
    assert refusal(refused) == (429, "too_many_requests")
    assert 0 < int(refused["Retry-After"]) <= 3601
    assert Player.objects.filter(is_guest=True).count() == 2
    assert anyone.post("/api/guests/", REMOTE_ADDR="192.0.2.7").status_code == 201


@pytest.mark.django_db(transaction=True)
def test_naming_another_address_in_a_header_does_not_help_mallory(anyone: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "guests", (1, 3600))
    statuses = [anyone.post("/api/guests/", HTTP_X_FORWARDED_FOR=f"192.0.2.{n}").status_code for n in range(2)]
    assert statuses == [201, 429]


def test_alice_gets_a_ticket_that_opens_sockets_for_a_minute(as_alice: Api, alice: Player, clock: object) -> None:
    ticket = as_alice.post("/api/tickets/").json()
    assert ticket["expires_in"] == 60
    assert ticket_holder(ticket["ticket"]).player == alice
    clock.shift(timedelta(seconds=61))  # type: ignore[attr-defined]
    assert ticket_holder(ticket["ticket"]).player is None
