"""`/ws/daily/{rules}/`: one socket a day, from nothing to the ranks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from games.calendar.models import DailyDeal
from games.keys.authentication import issue_ticket
from games.play.live import loading
from games.play.models import Game
from games.players.models import Player
from tests.calendar import prepared_dailies
from tests.games.sockets import Client, connected
from tests.moves import takes_from_pyramid

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("_no_deadline")]

Open = Callable[..., AbstractAsyncContextManager[Client]]


@pytest.fixture
def today() -> Open:
    """Open the socket of today's deal for a player."""
    prepared_dailies(timezone.now(), 1)

    @asynccontextmanager
    async def open_socket(player: Player, rules: str = "standard") -> AsyncIterator[Client]:
        async with connected(f"/ws/daily/{rules}/?ticket={issue_ticket(player)}", [], "daily") as client:
            yield client

    return open_socket


async def test_the_socket_of_a_day_starts_the_attempt_without_reading_it_back_and_resumes_it(
    today: Open, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(loading, "load", None)
        async with today(alice) as client:
            first = await client.receive()
            assert (first["type"], first["version"]) == ("state", 0)
            await client.play("D")
    async with today(alice) as client:
        again = await client.receive()
        assert (again["game"], again["version"]) == (first["game"], 1)
    assert await Game.objects.acount() == 1


async def test_after_the_end_it_tells_how_it_ended_and_where_the_game_stands(
    today: Open, alice: Player, bob: Player
) -> None:
    for entries, player in enumerate((alice, bob), 1):
        async with today(player) as client:
            await remove_a_card(client)
            finished = await client.ask("resign", version=client.version)
            assert finished["type"] == "finished"
            placed = await client.receive()
            assert {board["of"] for board in placed["boards"]} == {entries}
            assert all(1 <= board["rank"] <= entries for board in placed["boards"])
    async with today(alice) as client:
        assert (await client.receive())["result"] == "resigned"
        assert (await client.receive())["type"] == "finished"
        placed = await client.receive()
        assert {board["of"] for board in placed["boards"]} == {2}


async def test_whoever_learns_of_the_end_is_on_the_board_already(today: Open, alice: Player) -> None:
    async with today(alice) as client:
        await remove_a_card(client)
        day = (await DailyDeal.objects.aget(attempts__player=alice)).day
        board = f"/api/boards/daily.{day}.standard.open.fewest-moves/?around={alice.username}"
        before = await AsyncClient().get(board)
        assert (await client.ask("resign", version=client.version))["type"] == "finished"
        after = await AsyncClient().get(board)
        assert (before.json()["code"], after.json()["count"]) == ("not_on_board", 1)


async def remove_a_card(client: Client) -> None:
    """Play until a card has left the tableau, as slowly as a person: a game without has no rank, nor has a fast one."""
    legal = (await client.receive())["legal"]
    with time_machine.travel(timezone.now()) as clock:
        while not (pairs := list(filter(takes_from_pyramid, legal))):
            legal = (await client.play(legal[-1]))["legal"]
            clock.shift(timedelta(seconds=1))
        await client.play(pairs[0])


@pytest.mark.parametrize("rules", ["giza", "spider"])
async def test_a_day_that_has_no_such_deal_is_not_found(today: Open, alice: Player, rules: str) -> None:
    async with today(alice, rules) as client:
        assert await client.close_code() == 4404


async def test_nobody_starts_nothing(today: Open, alice: Player) -> None:
    await sync_to_async(lambda: None)()
    async with connected("/ws/daily/standard/", [], "daily") as client:
        assert await client.close_code() == 4401
    assert await Game.objects.acount() == 0
