"""A storm and a streak over their socket: judged as over REST, and for their player alone."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.doors.sockets.close_codes import CloseCode
from games.keys.authentication import issue_ticket
from games.players.models import Player
from games.puzzles.library import find_puzzle
from games.puzzles.models import PuzzleRun
from games.puzzles.runs import Kind, remove, start
from tests.games.puzzles.test_rest import wrong
from tests.games.sockets import connected

pytestmark = pytest.mark.django_db(transaction=True)


async def begun(player: Player, kind: Kind) -> tuple[str, str]:
    """Begin a run; return its id, and the address of its socket for its player."""
    run = await sync_to_async(start)(player, kind, timezone.now())
    return run.pk, f"/ws/runs/{run.pk}/?ticket={await sync_to_async(issue_ticket)(player)}"


async def right(run_id: str) -> list[str]:
    """Return the removals that solve the puzzle that a run shows."""
    puzzle = find_puzzle((await PuzzleRun.objects.aget(pk=run_id)).puzzle)
    return [move.text for move in puzzle.packed.win[: puzzle.decisions]]


async def test_a_storm_is_played_over_its_socket_until_its_time_is_up(alice: Player) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        run_id, path = await begun(alice, Kind.STORM)
        async with connected(path, [], about="run") as client:
            shown = await client.receive()
            assert (shown["type"], shown["id"], shown["run"]["shown"]["number"]) == ("shown", None, 1)
            moves = await right(run_id)
            judged = [await client.ask("remove", number=1, moves=moves[:most]) for most in range(1, len(moves) + 1)][-1]
            assert (judged["type"], judged["state"], judged["run"]["solved"]) == ("judged", "solved", 1)
            assert (await PuzzleRun.objects.aget(pk=run_id)).solved == 1
            clock.shift(timedelta(minutes=3))
            over = await client.ask("look")
            assert (over["run"]["state"], over["run"]["shown"]) == ("over", None)
            refused = await client.ask("remove", number=2, moves=moves[:1])
            assert (refused["type"], refused["code"]) == ("refused", "run_over")
            assert (await client.receive())["run"]["state"] == "over"


async def test_a_mistake_ends_a_streak_and_only_then_its_puzzle_is_named(alice: Player) -> None:
    run_id, path = await begun(alice, Kind.STREAK)
    async with connected(path, [], about="run") as client:
        puzzle = (await PuzzleRun.objects.aget(pk=run_id)).puzzle
        assert puzzle not in str(await client.receive())
        judged = await client.ask("remove", number=1, moves=[wrong(find_puzzle(puzzle)).text])
        assert (judged["state"], judged["mistake"]["puzzle"]) == ("wrong", puzzle)
        assert judged["run"]["state"] == "over"


async def test_a_removal_for_what_went_on_elsewhere_is_refused_and_the_run_is_shown(alice: Player) -> None:
    run_id, path = await begun(alice, Kind.STORM)
    moves = await right(run_id)
    async with connected(path, [], about="run") as client:
        await client.receive()
        for most in range(1, len(moves) + 1):
            await sync_to_async(remove)(alice, run_id, 1, moves[:most], timezone.now())
        refused = await client.ask("remove", number=1, moves=moves[:1])
        assert (refused["type"], refused["code"]) == ("refused", "stale_puzzle")
        shown = await client.receive()
        assert (shown["id"], shown["run"]["shown"]["number"]) == (None, 2)
        assert (await client.ask("remove", number=2, moves=["AcAd"]))["code"] == "not_a_removal"
        assert (await client.ask("remove", number=0, moves=[]))["code"] == "bad_message"
        assert (await client.ask("end"))["run"]["state"] == "over"


@pytest.mark.parametrize("is_signed_in", [True, False])
async def test_a_run_has_no_socket_for_others(alice: Player, mallory: Player, is_signed_in: bool) -> None:
    _, path = await begun(alice, Kind.STREAK)
    ticket = f"?ticket={await sync_to_async(issue_ticket)(mallory)}" if is_signed_in else ""
    async with connected(path.partition("?")[0] + ticket, [], about="run") as client:
        assert await client.close_code() == (CloseCode.NOT_FOUND if is_signed_in else CloseCode.NOT_SIGNED_IN)
