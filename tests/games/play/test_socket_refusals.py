"""A socket refuses bad messages and closes with its documented codes, and the game stays unchanged."""

from __future__ import annotations

import asyncio
import json

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client as Browser
from pytest_django import Settings

from games.accounts.guests import create_guest
from games.doors.sockets import connection as connection_module
from games.doors.sockets import token_bucket
from games.doors.sockets.close_codes import CloseCode
from games.doors.sockets.connection import end_all
from games.keys.authentication import issue_ticket
from games.play.models import Game
from games.play.socket import game_socket
from games.players.models import Player
from tests.games.conftest import Connect, MakeGame
from tests.games.play.test_socket import DECK, in_log
from tests.games.sockets import connected

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("_no_deadline")]

BAD_MESSAGES = [
    " ",
    "no json",
    "[]",
    "null",
    '"D"',
    "17",
    "{}",
    '{"type":"play"}',
    '{"type":"play","id":1,"version":0}',
    '{"type":"play","id":1,"version":0,"move":7}',
    '{"type":"play","id":1,"version":0,"move":null}',
    '{"type":"play","id":1,"version":"0","move":"D"}',
    '{"type":"play","id":1,"version":0.5,"move":"D"}',
    '{"type":"play","id":1,"version":-1,"move":"D"}',
    '{"type":"play","id":1,"version":4294967296,"move":"D"}',
    '{"type":"play","id":-1,"version":0,"move":"D"}',
    '{"type":"play","id":1,"version":0,"move":"' + "D" * 17 + '"}',
    '{"type":"play","id":1,"version":0,"move":"D","cheat":true}',
    '{"type":"played","id":1,"version":0,"move":"D"}',
    '{"type":"explode","id":1}',
    '{"type":["play"],"id":1}',
    '{"type":"play","id":1,"version":true,"move":"D"}',
    '{"type":"play","id":1,"version":0,"move":"\\ud800"}',
    "[" * 4000,
    '{"a":' * 800,
    '{"type":"ping","id":1}{"type":"ping","id":2}',
]


@pytest.mark.parametrize("text", BAD_MESSAGES, ids=lambda text: text[:60] or "empty")
async def test_what_is_no_message_is_refused_and_the_connection_stays(
    connect: Connect, practice: MakeGame, alice: Player, text: str
) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as client:
        await client.receive()
        await client.send(text)
        refused = await client.receive()
        assert (refused["type"], refused["code"], refused["version"]) == ("refused", "bad_message", 0)
        assert (await client.ask("ping"))["type"] == "pong"
    assert await in_log(game) == []


async def test_the_number_of_a_bad_message_comes_back_where_it_can_be_read(
    connect: Connect, practice: MakeGame, alice: Player
) -> None:
    async with connect(await practice(DECK), alice) as client:
        await client.receive()
        await client.send('{"type":"explode","id":41}')
        assert (await client.receive())["id"] == 41
        await client.send('{"type":"explode","id":"x"}')
        assert (await client.receive())["id"] is None


async def test_a_binary_frame_is_refused(connect: Connect, practice: MakeGame, alice: Player) -> None:
    async with connect(await practice(DECK), alice) as client:
        await client.receive()
        await client.socket.send_to(bytes_data=b'{"type":"ping","id":1}')
        assert (await client.receive())["code"] == "bad_message"
        assert (await client.ask("ping"))["type"] == "pong"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("", "bad_notation"),
        ("xx", "bad_notation"),
        ("U", "bad_notation"),
        ("H", "bad_notation"),
        ("??", "bad_notation"),
        ("4s4s", "bad_notation"),
        ("4s9s6d", "bad_notation"),
        ("\uff2b\uff24", "bad_notation"),
        ("\u212ad", "bad_notation"),
        ("4s9s", "illegal_move"),
        ("5d", "illegal_move"),
        ("R", "illegal_move"),
        ("PKd", "illegal_move"),
        ("KdKc", "illegal_move"),
    ],
)
async def test_a_malformed_or_illegal_move_is_refused(
    connect: Connect, practice: MakeGame, alice: Player, move: str, code: str
) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as client:
        await client.receive()
        refused = await client.play(move)
        assert (refused["type"], refused["code"], refused["version"]) == ("refused", code, 0)
        assert await client.is_silent()
    assert await in_log(game) == []


async def test_a_refusal_names_no_card_out_of_sight(connect: Connect, practice: MakeGame, alice: Player) -> None:
    """Mallory asks for every card there is; the answers differ only by the name that mallory gave."""
    async with connect(await practice(DECK), alice) as client:
        await client.receive()
        hidden = [DECK[i : i + 2] for i in range(56, 104, 2)]
        messages = set()
        for card in hidden:
            refused = await client.play(f"{card}5d" if card[0] != "5" else f"{card}Ts")
            messages.add(refused["message"].split(": ", 1)[1].replace(card, "CARD").split(";")[0])
        assert len([message for message in messages if "CARD" in message]) == 1


async def test_the_socket_of_nobody_is_closed(connect: Connect, practice: MakeGame) -> None:
    async with connect(await practice(DECK), None) as client:
        assert await client.close_code() == 4401


async def test_a_session_opens_the_socket_and_with_a_wrong_token_it_does_not(practice: MakeGame, alice: Player) -> None:
    browser = Browser()
    await sync_to_async(browser.force_login)(alice)
    cookie = (b"cookie", f"sessionid={browser.cookies['sessionid'].value}".encode())
    address = f"/ws/games/{(await practice(DECK)).id}/"
    async with connected(address, [cookie]) as client:
        assert (await client.receive())["type"] == "state"
    for header in (b"Bearer nonsense", b"Bearer \xff\xfe", b"Bearer", b"Basic YWxpY2U6", b""):
        async with connected(address, [cookie, (b"authorization", header)]) as client:
            assert await client.close_code() == 4401


async def test_a_token_in_the_header_opens_the_socket(practice: MakeGame, alice: Player) -> None:
    guest, token, _ = await sync_to_async(create_guest)("Carol")
    game = await practice(DECK)
    await Game.objects.filter(pk=game.pk).aupdate(player=guest)
    async with connected(f"/ws/games/{game.id}/", [(b"authorization", f"Bearer {token}".encode())]) as client:
        assert (await client.receive())["type"] == "state"


async def test_a_game_that_has_not_begun_cannot_be_watched(
    connect: Connect, practice: MakeGame, mallory: Player
) -> None:
    async with connect(await practice(DECK), mallory) as client:
        assert await client.close_code() == 4404


@pytest.mark.parametrize("game", ["000000000000", "x", "-", "a" * 500])
async def test_a_game_that_is_not_there_is_closed(connect: Connect, alice: Player, game: str) -> None:
    async with connect(game, alice) as client:
        assert await client.close_code() == 4404


async def test_an_oversized_frame_closes_the_socket(
    connect: Connect, practice: MakeGame, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "MOST_FRAME_BYTES", 256)
    async with connect(await practice(DECK), alice) as client:
        await client.receive()
        await client.send(json.dumps({"type": "ping", "id": 1}).ljust(256))
        assert (await client.receive())["type"] == "pong"
        await client.send(json.dumps({"type": "ping", "id": 1}).ljust(257))
        refused = await client.receive()
        assert (refused["code"], refused["message"]) == ("message_too_large", "a message has at most 256 bytes")
        assert await client.close_code() == 1009


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Read five messages at once and one each millisecond from then on."""
    settings.PYRAMID_MESSAGES_PER_SECOND = 1000
    monkeypatch.setattr(token_bucket, "BURST_SECONDS", 0.005)


@pytest.mark.usefixtures("small_budget")
async def test_a_client_that_goes_on_sending_without_waiting_is_closed(
    connect: Connect, practice: MakeGame, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "FLOOD_SECONDS", 0)
    async with connect(await practice(DECK), alice) as client:
        await client.receive()
        for _ in range(30):
            await client.send('{"type":"ping","id":1}')
        while (event := await client.socket.receive_output(timeout=120))["type"] == "websocket.send":
            pass
        assert (event["type"], event["code"]) == ("websocket.close", 4429)


@pytest.mark.usefixtures("small_budget")
async def test_a_client_that_waits_for_answers_may_be_as_fast_as_it_likes(
    connect: Connect, practice: MakeGame, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "FLOOD_SECONDS", 0)
    async with connect(await practice(DECK), alice) as client:
        await client.receive()
        for _ in range(100):
            assert (await client.ask("ping"))["type"] == "pong"


async def test_an_address_that_opens_one_socket_after_the_other_is_refused_for_a_while(
    connect: Connect, practice: MakeGame, alice: Player, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "sockets", (3, 60))
    game = await practice(DECK)
    for _ in range(3):
        async with connect(game, alice) as client:
            assert (await client.receive())["type"] == "state"
    async with connect(game, alice) as client:
        assert await client.close_code() == 4430


async def test_an_idle_socket_is_closed(
    connect: Connect, practice: MakeGame, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "IDLE_SECONDS", 0)
    async with connect(await practice(DECK), alice) as client:
        await client.receive()
        assert await client.close_code() == 4408


async def test_a_client_that_does_not_read_is_closed(
    alice: Player, practice: MakeGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_module, "UNREAD_SECONDS", 0)
    game = await practice(DECK)
    told: list[dict[str, object]] = []

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(event: dict[str, object]) -> None:
        told.append(event)
        if event["type"] == "websocket.send":
            await asyncio.Event().wait()  # the client's buffers are full

    ticket = await sync_to_async(issue_ticket)(alice)
    scope = {"url_route": {"kwargs": {"game_id": game.pk}}, "headers": [], "client": ("192.0.2.1", 1)}
    await game_socket(scope | {"query_string": f"ticket={ticket}".encode()}, receive, send)
    assert (told[-1]["type"], told[-1]["code"]) == ("websocket.close", 4410)


async def test_a_player_keeps_only_so_many_sockets_open(
    connect: Connect, practice: MakeGame, alice: Player, bob: Player, settings: Settings
) -> None:
    settings.PYRAMID_SOCKETS_PER_PLAYER = 1
    one, another = await practice(DECK), await practice(DECK)
    async with connect(one, alice) as first:
        await first.receive()
        async with connect(another, alice) as second:
            assert await second.close_code() == 4430
        async with connect(one, bob) as watcher:
            assert (await watcher.receive())["type"] == "state"
    async with connect(another, alice) as second:
        assert (await second.receive())["type"] == "state"


async def test_an_address_keeps_only_so_many_sockets_open(
    connect: Connect, practice: MakeGame, alice: Player, bob: Player, settings: Settings
) -> None:
    settings.PYRAMID_SOCKETS_PER_ADDRESS = 1
    game = await practice(DECK)
    async with connect(game, alice) as first:
        await first.receive()
        async with connect(game, bob) as second:
            assert await second.close_code() == 4430
        async with connect(game, None) as nobody:  # whose key is not even looked at
            assert await nobody.close_code() == 4430


async def test_a_server_that_stops_tells_its_clients_to_connect_again(
    connect: Connect, practice: MakeGame, alice: Player
) -> None:
    async with connect(await practice(DECK), alice) as client:
        await client.receive()
        await end_all(CloseCode.RESTARTING)
        assert await client.close_code() == 1012


def rename_table(name: str, new_name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {name} RENAME TO {new_name}")


async def test_while_the_database_fails_nothing_is_acknowledged_and_then_play_goes_on(
    connect: Connect, practice: MakeGame, alice: Player
) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as client:
        await client.receive()
        await client.play("D")
        await sync_to_async(rename_table)("games_move", "games_move_away")
        try:
            for _ in range(2):  # once when it is written, once when the game is loaded again
                assert (await client.ask("play", version=1, move="D"))["code"] == "unavailable"
        finally:
            await sync_to_async(rename_table)("games_move_away", "games_move")
        assert (await client.ask("play", version=1, move="D"))["version"] == 2
    assert await in_log(game) == ["D", "D"]
