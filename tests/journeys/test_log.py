"""The log of a server that writes all that it can: whom it was about, and never a secret."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from signal import SIGTERM
from urllib.error import HTTPError

import pytest
from websockets.asyncio.client import connect

from tests.journeys.conftest import Server, daphne, uvicorn
from tests.journeys.nodes import hear, move
from tests.processes import own_database
from tests.visitor import Visitor

PASSWORD, GUESS = "correct horse battery", "incorrect horse battery"


@pytest.fixture(params=[daphne, uvicorn])
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    verbose = {"PYRAMID_LOG_LEVEL": "DEBUG", "PYRAMID_LOG_FORMAT": "JSON"}
    command: Callable[[int], list[str]] = request.param
    with own_database(tmp_path) as environment, Server(environment | verbose, command).running() as server:
        yield server


async def test_sign_ins_tickets_and_games_are_logged_without_a_secret(server: Server) -> None:
    token = (await asyncio.to_thread(server.post, "/api/register/", {"handle": "alice", "password": PASSWORD}))["token"]
    game = (await asyncio.to_thread(server.post, "/api/games/", {"kind": "practice", "rules": "standard"}, token))["id"]
    ticket = (await asyncio.to_thread(server.post, "/api/tickets/", {}, token))["ticket"]
    await asyncio.to_thread(server.get, f"/api/games/{game}/", token)
    await play(server, game, ticket)
    visitor = Visitor(server.url)
    for password in (GUESS, PASSWORD):
        await asyncio.to_thread(visitor.send, "/account/sign-in/", handle="alice", password=password)
    for path in ("/account/", f"/?ticket={ticket}", f"/account/reset/MQ/{ticket}/", f"/account/claim/{ticket}/"):
        await asyncio.to_thread(look, visitor, path)
    await asyncio.to_thread(server.stop, SIGTERM)
    secrets = [token, ticket, PASSWORD, GUESS, *(str(cookie.value) for cookie in visitor.cookies)]
    assert {cookie.name for cookie in visitor.cookies} >= {"sessionid", "csrftoken"}
    for secret in secrets:
        assert secret not in server.output
    lines = [json.loads(line) for line in server.output.splitlines() if line.startswith("{")]
    assert not any(line["logger"].startswith("uvicorn") for line in lines)
    answers = {line.get("route"): line for line in lines if line["logger"] == "pyramid_server.middleware"}
    signed_in, seen = answers["account/sign-in/"], answers["api/games/<slug:game_id>/"]
    assert (signed_in["method"], signed_in["status"]) == ("POST", 302)
    assert (seen["game"], seen["status"]) == (game, 200)
    assert seen["player"] == signed_in["player"]
    assert seen["request"] != signed_in["request"]


async def play(server: Server, game: str, ticket: str) -> None:
    url = f"ws://127.0.0.1:{server.port}/ws/games/{game}/?ticket={ticket}"
    async with connect(url, proxy=None, open_timeout=180) as socket:
        await hear(socket, "state")
        assert (await move(socket, 0, "D"))["type"] == "played"
        await socket.send(f'{{"type": "{ticket}"}}')
        await hear(socket, "refused")


def look(visitor: Visitor, path: str) -> None:
    try:
        visitor.read(path)
    except HTTPError as refused:
        refused.close()
