from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from channels.testing import WebsocketCommunicator

from pyramid_server.asgi import application
from tests.live_contract import require_documented

Json = dict[str, Any]


class Client:
    """A thin client: sends and receives JSON texts, knows the last version it received.

    Whatever it hears has to be a message of docs/asyncapi.json; `heard` keeps all of it.
    """

    def __init__(self, socket: WebsocketCommunicator, about: str = "game") -> None:
        self.socket = socket
        self.about = about
        self.version = 0
        self.heard: list[Json] = []
        self.notices: list[Json] = []
        self._sent = 0

    async def receive(self) -> Json:
        """Return the next message but notices, which are unsolicited and put aside."""
        message: Json = json.loads(await self.socket.receive_from(timeout=120))
        require_documented(self.about, message)
        self.heard.append(message)
        if message["type"] == "unwinnable":
            self.notices.append(message)
            return await self.receive()
        self.version = message.get("version", self.version)
        return message

    async def send(self, text: str) -> None:
        await self.socket.send_to(text_data=text)

    async def ask(self, kind: str, **fields: object) -> Json:
        """Send a message with a fresh number and return the first answer, which repeats the number."""
        self._sent += 1
        await self.send(json.dumps({"type": kind, "id": self._sent, **fields}))
        answer = await self.receive()
        assert answer.get("id", self._sent) == self._sent
        return answer

    async def play(self, move: str) -> Json:
        return await self.ask("play", version=self.version, move=move)

    async def close_code(self) -> int:
        event = await self.socket.receive_output(timeout=120)
        assert event["type"] == "websocket.close", event
        code: int = event["code"]
        return code

    async def is_silent(self) -> bool:
        silent: bool = await self.socket.receive_nothing()
        return silent


@asynccontextmanager
async def connected(path: str, headers: list[tuple[bytes, bytes]], about: str = "game") -> AsyncIterator[Client]:
    socket = WebsocketCommunicator(application, path, headers=[(b"host", b"localhost"), *headers])
    accepted, _ = await socket.connect(timeout=120)
    assert accepted
    try:
        yield Client(socket, about)
    finally:
        await socket.disconnect()
