"""The code of a race: short enough to be read out, and of no use to those who guess."""

from __future__ import annotations

from datetime import datetime

import pytest
import time_machine
from django.test import Client

from games.players.models import Player
from games.races.course import call_off
from games.races.invites import CODE_LETTERS, code_of
from games.races.models import Race

pytestmark = pytest.mark.django_db(transaction=True)

TRIES = 60


@pytest.fixture(autouse=True)
def _at_noon(now: datetime) -> object:
    with time_machine.travel(now, tick=False):
        yield


def join(code: str) -> str:
    return f"/races/join/{code}/"


def test_whoever_has_the_code_sees_who_invites_by_which_rules_and_joins_with_a_name(
    client: Client, room: Race, alice: Player
) -> None:
    code = code_of(room.pk)
    assert len(code) == 6
    assert set(code) <= set(CODE_LETTERS)
    assert client.get("/races/join/", {"code": f" {code[:3].lower()} {code[3:]}"})["Location"] == join(code)
    shown = client.get(join(code)).content.decode()
    assert f"{alice.listed_name} wants to race you" in shown
    assert "Relaxed" in shown
    assert room.deal.deck not in shown
    assert room.deal_id not in shown
    assert client.post(join(code), {"display_name": "Bea"})["Location"] == f"/races/{room.pk}/"
    assert [racer.player.display_name for racer in room.racers.order_by("pk")] == [alice.display_name, "Bea"]
    assert code in client.get(f"/races/{room.pk}/").content.decode()


def test_a_code_ends_with_its_race(client: Client, room: Race, now: datetime) -> None:
    assert client.get(join(code_of(room.pk))).status_code == 200
    call_off(room.pk, now)
    answer = client.get(join(code_of(room.pk)))
    assert answer.status_code == 404
    assert "No open race has this code." in answer.content.decode()


def test_mallory_who_guesses_codes_is_soon_refused_even_the_right_one(client: Client, room: Race) -> None:
    for _ in range(TRIES):
        assert client.get(join("BBBBBB")).status_code == 404
    assert client.get(join(code_of(room.pk))).status_code == 429
    assert client.post(join(code_of(room.pk))).status_code == 429
    assert room.racers.count() == 1


def test_nobody_joins_a_race_that_runs_by_its_code(client: Client, race: Race) -> None:
    answer = client.post(join(code_of(race.pk)))
    assert answer.status_code == 409
    assert race.racers.count() == 2
