"""A client that plays by chance and follows docs/live-protocol.md when its connection breaks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from http.client import HTTPException
from random import Random
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.load.sockets import Endpoint

BROKEN = (ConnectionClosed, InvalidHandshake, ConnectionError, EOFError)
ABNORMAL = 1006
PATIENCE_SECONDS = 60.0
PAUSE_SECONDS = 0.1  # between two attempts to connect
MOST_MOVES = 60  # in one game, so that many games end

Message = dict[str, Any]


class ScriptedGame:
    """One game as its player knows it. `acknowledged[i]` was acknowledged with the version i + 1."""

    def __init__(self, endpoint: Endpoint, chance: Random, acknowledge: Callable[[], None]) -> None:
        self.endpoint = endpoint
        self.acknowledged: list[str] = []
        self.result = "*"
        self.connections = 0
        self.close_codes: list[int] = []  # ABNORMAL where there was none
        self._chance, self._acknowledge = chance, acknowledge
        self._legal: list[str] = []
        self._standing = 0  # moves that can be taken back
        self._unanswered: Message | None = None

    @property
    def id(self) -> str:
        return self.endpoint.path.split("/")[-2]

    async def play(self, is_over: Callable[[], bool]) -> None:
        """Play until the game has ended or all is over, connecting again whenever the connection breaks."""
        while self.result == "*" and not is_over():
            await self._while_connected(is_over)

    async def end(self) -> None:
        """Play one more move and resign: a game that is stuck anywhere cannot."""
        length = len(self.acknowledged) + 1
        await self.play(lambda: len(self.acknowledged) >= length and self._unanswered is None)
        if self.result == "*":
            self._unanswered = {"type": "resign", "version": len(self.acknowledged)}
            await self.play(lambda: False)

    async def _while_connected(self, is_over: Callable[[], bool]) -> None:
        address = f"ws://127.0.0.1:{self.endpoint.port}{self.endpoint.path}"
        headers = {"Authorization": f"Bearer {self.endpoint.token}"}
        try:
            async with connect(address, additional_headers=headers, compression=None, proxy=None) as socket:
                self.connections += 1
                self._hear(await _receive(socket))
                while self.result == "*" and not is_over():
                    await self._act(socket)
        except BROKEN as error:
            if isinstance(error, ConnectionClosed):
                self.close_codes.append(error.rcvd.code if error.rcvd else ABNORMAL)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _act(self, socket: ClientConnection) -> None:
        self._unanswered = self._unanswered or self._choose()
        await socket.send(json.dumps({"id": len(self.acknowledged), **self._unanswered}))
        while self._unanswered is not None:
            self._hear(await _receive(socket))

    def _choose(self) -> Message:
        version, chance = len(self.acknowledged), self._chance.random()
        removals = [move for move in self._legal if move not in {"D", "R"}]
        if version >= MOST_MOVES or chance < 0.01 or not (self._legal or self._standing):
            return {"type": "resign", "version": version}
        if self._standing and (chance < 0.1 or not self._legal):
            return {"type": "undo", "version": version}
        return {"type": "play", "version": version, "move": self._chance.choice(removals or self._legal)}

    def _hear(self, message: Message) -> None:
        match message["type"]:
            case "state":
                self._compare(message)
            case "played":
                self._keep(message)
            case "finished":
                self.result, self._unanswered = message["result"], None
            case "refused" if message["code"] == "game_over" and self._is_resigning:
                pass  # the end had been kept; the state that follows says so
            case _:
                raise AssertionError(f"game {self.id}, after {self._unanswered}: {message}")

    def _compare(self, state: Message) -> None:
        """Compare what the server kept with what was acknowledged; only what is unanswered may have been kept too."""
        on_the_way = self._unanswered is not None and not self._is_resigning
        known = len(self.acknowledged)
        assert known <= state["version"] <= known + on_the_way, (self.id, known, self._unanswered, state)
        self._legal = state["legal"]
        if state["result"] != "*" and not on_the_way:
            assert self._is_resigning, (self.id, state)
            self.result, self._unanswered = state["result"], None

    def _keep(self, played: Message) -> None:
        sent = self._unanswered
        assert sent is not None, played
        move = sent.get("move", "U")
        assert (played["version"], played["move"]) == (sent["version"] + 1, move), (self.id, sent, played)
        self.acknowledged.append(move)
        self._legal, self._unanswered = played["legal"], None
        self._standing += -1 if move == "U" else 1
        if played["outcome"] == "won":
            self.result = "won"
        self._acknowledge()

    @property
    def _is_resigning(self) -> bool:
        return self._unanswered is not None and self._unanswered["type"] == "resign"


async def new_game(port: int) -> Endpoint:
    """Start a ranked attempt of a new guest, however often it takes."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                return await asyncio.to_thread(_start, port)
            except HTTPError:
                raise
            except (OSError, HTTPException):
                await asyncio.sleep(PAUSE_SECONDS)


def _start(port: int) -> Endpoint:
    token = _post(port, "/api/guests/", {})["token"]
    game = _post(port, "/api/games/", {"kind": "daily", "rules": "standard"}, token)
    return Endpoint(port, game["socket"], token)


def _post(port: int, path: str, body: object, token: str = "") -> Message:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), headers)
    with urlopen(request) as answer:
        told: Message = json.load(answer)
        return told


async def _receive(socket: ClientConnection) -> Message:
    message: Message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE_SECONDS))
    return message
