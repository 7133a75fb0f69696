"""Two nodes, and what clients say to them and hear, message by message."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.request import build_opener, install_opener

import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.compose import Proxy, command_of_node, running_proxy
from tests.journeys.conftest import Command, Server, daphne, uvicorn

NOT_SIGNED_IN, SUPERSEDED, TOO_MANY_MESSAGES, TRY_AGAIN_LATER = 4401, 4409, 4429, 1013
TIMEOUT_SECONDS = 180


class Nodes:
    """Two nodes on one database, which the first one migrates."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.one, self.other = Server(environment, daphne), Server(environment, uvicorn)

    async def guest(self) -> str:
        token: str = (await asyncio.to_thread(self.one.post, "/api/guests/", {}))["token"]
        return token

    async def practice_game(self, token: str) -> str:
        """Return the path of a new game's socket. Anyone may watch a practice game."""
        body = {"kind": "practice", "rules": "standard"}
        path: str = (await asyncio.to_thread(self.one.post, "/api/games/", body, token))["socket"]
        return path


@contextmanager
def running_nodes(environment: dict[str, str]) -> Iterator[Nodes]:
    nodes = Nodes(environment)
    try:
        nodes.one.start()
        nodes.other.start()
        yield nodes
    finally:
        nodes.one.close()
        nodes.other.close()


@contextmanager
def nodes_behind_proxy(
    environments: Sequence[dict[str, str]], command: Command = command_of_node
) -> Iterator[tuple[Proxy, list[Server]]]:
    """Start a node in each environment, and the proxy before them, which this process trusts."""
    nodes = [Server(environment, command) for environment in environments]
    with ExitStack() as stack:
        for node in nodes:
            stack.callback(node.close)
        with ThreadPoolExecutor() as starting:
            list(starting.map(Server.start, nodes))
        proxy = stack.enter_context(running_proxy([node.port for node in nodes]))
        stack.callback(install_opener, build_opener())
        stack.enter_context(pytest.MonkeyPatch.context()).setenv("SSL_CERT_FILE", str(proxy.certificate))
        install_opener(build_opener())  # which from Python 3.12 on keeps the certificates that it finds now
        yield proxy, nodes


def at(port: int, path: str, token: str) -> connect:
    headers = {"Authorization": f"Bearer {token}"}
    return connect(f"ws://127.0.0.1:{port}{path}", additional_headers=headers, proxy=None, open_timeout=TIMEOUT_SECONDS)


async def hear(socket: ClientConnection, *kinds: str) -> Any:
    """Return the next message of one of some kinds; others may come before it."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while True:
            message = json.loads(await socket.recv())
            if message["type"] in kinds:
                return message


async def move(socket: ClientConnection, version: int, action: str) -> Any:
    """Make a move, or take one back (`U`), and return whether it was played or refused."""
    command = {"type": "undo"} if action == "U" else {"type": "play", "move": action}
    await socket.send(json.dumps({"id": 7, "version": version, **command}))
    while (answer := await hear(socket, "played", "refused"))["id"] is None:  # of a move made elsewhere
        pass
    return answer


async def draw(socket: ClientConnection, version: int) -> Any:
    played = await move(socket, version, "D")
    assert played["type"] == "played", played
    return played
