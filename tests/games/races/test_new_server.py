"""A race on a server whose worker has found no deals for races yet."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.test import Client

from games.calendar.models import Deal
from games.players.models import Player
from games.practice.stock import certified_for_race
from games.races import rooms
from tests.games.api import Api, refusal
from tests.games.conftest import DECK

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _stock_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "certified_for_race", certified_for_race)


def test_until_the_worker_has_a_deal_the_refusal_says_when_to_ask_again(alice: Player, now: datetime) -> None:
    refused = Api(alice).post("/api/races/", {"rules": "giza"})
    assert refusal(refused) == (503, "no_certified_deal")
    assert refused["Retry-After"] == "10"
    assert Api(alice).post("/api/races/", {"rules": "standard"}).status_code == 201
    Deal.objects.create(rules="giza", deck=DECK, created_at=now, is_winnable=True, kept_for="race")
    assert Api(alice).post("/api/races/", {"rules": "giza"}).status_code == 201


def test_the_page_says_which_rules_are_being_prepared_and_keeps_what_was_chosen(client: Client, now: datetime) -> None:
    page = client.get("/races/").content.decode()
    assert '<option value="giza">Giza (in a moment)</option>' in page
    assert '<option value="standard" selected>Standard</option>' in page
    chosen = {"rules": "giza", "limit_s": "180", "tie_break": "moves", "is_public": "on"}
    refused = client.post("/races/", chosen)
    assert refused.status_code == 409
    page = refused.content.decode()
    assert "Deals of these rules are being prepared for races. Try again in some seconds." in page
    assert '<option value="giza" selected>' in page
    Deal.objects.create(rules="giza", deck=DECK, created_at=now, is_winnable=True, kept_for="race")
    assert '<option value="giza">Giza</option>' in client.get("/races/").content.decode()
