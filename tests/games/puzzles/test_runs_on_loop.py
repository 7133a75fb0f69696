"""Removals in a run that the event loop answers, as their view does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.keys.tokens import issue_token
from games.players.models import Player
from games.puzzles.library import find_puzzle
from games.puzzles.models import PuzzleRun
from games.puzzles.runs import Kind, start
from tests.games.puzzles.test_rest import wrong
from tests.pyramid_server.test_http import ask

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("views")]


async def begun(player: Player) -> tuple[str, dict[str, str]]:
    """Begin a storm; return the address of its removals, and the header of its player."""
    run = await sync_to_async(start)(player, Kind.STORM, timezone.now())
    signed_in = await sync_to_async(issue_token)(player)
    return f"/api/puzzles/runs/{run.pk}/removals/", {"authorization": f"Bearer {signed_in.token}"}


async def right(player: Player) -> bytes:
    """Return the next right removal of a player's storm."""
    run = await PuzzleRun.objects.aget(player=player, ended_at=None)
    found = find_puzzle(run.puzzle).packed.win[: len(run.removals) + 1]
    return json.dumps({"number": run.number, "moves": [move.text for move in found]}).encode()


async def test_removals_are_judged_and_stored_as_by_their_view(views: list[str], alice: Player, bob: Player) -> None:
    (of_alice, as_alice), (of_bob, as_bob) = await begun(alice), await begun(bob)
    by_view = await ask(of_alice, await right(alice), **as_alice)
    by_loop = [await ask(of_bob, await right(bob), **as_bob) for _ in range(5)]
    assert views == [of_alice]
    assert [status for status, _, _ in (by_view, *by_loop)] == [200] * 6
    last: dict[str, Any] = json.loads(by_loop[-1][2])
    assert json.loads(by_view[2]).keys() == last.keys()
    stored = await PuzzleRun.objects.aget(player=bob)
    assert (stored.solved, len(stored.removals)) == (last["run"]["solved"], len(last["run"]["shown"]["removed"]))
    assert last["run"]["best"] == stored.solved > 0


async def test_a_removal_is_refused_as_by_its_view(
    views: list[str], alice: Player, bob: Player, mallory: Player
) -> None:
    (removals, as_alice), (_, as_mallory), (of_bob, as_bob) = [await begun(one) for one in (alice, mallory, bob)]
    run = await PuzzleRun.objects.aget(player=alice)
    none = json.dumps({"number": 1, "moves": ["AcAd"]}).encode()
    stale = json.dumps({"number": 9, "moves": [wrong(find_puzzle(run.puzzle)).text]}).encode()
    asked = [
        (removals, none, as_alice, 409),
        (removals, stale, as_alice, 409),
        (removals, b'{"number": 0, "moves": []}', as_alice, 400),
        (removals, await right(alice), as_mallory, 404),
        (removals, await right(alice), {"authorization": "Bearer nobody"}, 401),
        ("/api/puzzles/runs/000000000000/removals/", stale, as_alice, 404),
    ]
    by_view = [await ask(path, body, **key) for path, body, key, _ in asked]
    assert (await ask(of_bob, await right(bob), **as_bob))[0] == 200
    views.clear()
    by_loop = [await ask(path, body, **key) for path, body, key, _ in asked]
    assert [status for status, _, _ in by_view] == [status for *_, status in asked]
    assert [json.loads(body)["code"] for *_, body in by_loop] == [json.loads(body)["code"] for *_, body in by_view]
    assert len(views) == 2  # an invalid body and an unknown token are left to the view
