"""Puzzles that were failed come again until they are solved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from django.test import Client

from games.players.models import Player
from games.puzzles.attempting import attempt, give_up, keep_all
from tests.games.api import Api
from tests.games.puzzles.test_rest import PUZZLES, SINGLE, wrong

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
OTHER = next(puzzle for puzzle in PUZZLES if puzzle.decisions == 1 and puzzle.id != SINGLE.id)


def test_the_last_failed_puzzle_comes_first_until_it_is_solved(
    client: Client, as_alice: Api, as_bob: Api, alice: Player
) -> None:
    client.force_login(alice)
    assert client.get("/puzzles/failed/")["Location"] == "/puzzles/"
    attempt(SINGLE, alice, [wrong(SINGLE).text], NOW)
    give_up(OTHER, alice, NOW + timedelta(seconds=1))
    assert as_alice.get("/api/puzzles/failed/").json() == {"puzzles": [OTHER.id, SINGLE.id]}
    assert as_bob.get("/api/puzzles/failed/").json() == {"puzzles": []}
    assert client.get("/puzzles/failed/")["Location"] == f"/puzzles/{OTHER.id}/"
    attempt(OTHER, alice, [OTHER.packed.win[0].text], NOW)
    assert client.get("/puzzles/failed/")["Location"] == f"/puzzles/{SINGLE.id}/"


def test_to_solve_it_in_a_run_counts_as_well(as_alice: Api, alice: Player) -> None:
    give_up(SINGLE, alice, NOW)
    give_up(OTHER, alice, NOW)
    with transaction.atomic():
        keep_all(alice, [(SINGLE.id, True, 1), (OTHER.id, False, 0)], NOW)
    assert as_alice.get("/api/puzzles/failed/").json() == {"puzzles": [OTHER.id]}


def test_a_visitor_is_sent_to_sign_in(client: Client) -> None:
    assert "/sign-in/" in client.get("/puzzles/failed/")["Location"]
