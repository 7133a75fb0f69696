"""A client that plays at random, on one device or another or over REST, and follows docs/live-protocol.md when its
connection breaks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from random import Random

from websockets.exceptions import ConnectionClosed

from tests.chaos.device import ABNORMAL, BROKEN, Device, Told, connected
from tests.chaos.history import History, Type
from tests.chaos.rest import PAUSE_SECONDS, Guest, Message

MOST_MOVES = 60  # in one game, so that many games end
OVER_REST, TAKEN_OVER = 0.2, 0.03  # of all actions of a player with many devices


class ScriptedGame:
    """One game as its player knows it. `acknowledged[i]` was acknowledged with the version i + 1.

    `told` is what its sockets have received, those of watchers too; `when_acknowledged` is called for each action. One
    with `has_many_devices` acts over REST as well, and is taken over.
    """

    def __init__(self, guest: Guest, path: str, chance: Random, *, has_many_devices: bool) -> None:
        self.path = path
        self.id = path.split("/")[-2]
        self.acknowledged: list[str] = []
        self.told: Told = {}
        self.result = "*"
        self.has_begun = asyncio.Event()
        self.close_codes: list[int] = []  # ABNORMAL where there was none
        self.history = History()
        self.when_acknowledged: Callable[[], None] = lambda: None
        self.connections = self.rest_actions = self.takeovers = self.refused_on_full_disk = 0
        self._guest, self._chance, self._has_many_devices = guest, chance, has_many_devices
        self._legal: list[str] = []
        self._standing = 0  # moves that can be taken back
        self._unanswered: Message | None = None

    async def play(self, is_over: Callable[[], bool]) -> None:
        """Play until the game has ended or all is over, connecting again whenever the connection breaks."""
        while self.result == "*" and not is_over():
            await self._while_connected(is_over)

    async def end(self, give_up: Callable[[], Awaitable[object]] | None = None) -> None:
        """Play one more move and resign, or give up in another way: a game that is stuck anywhere cannot."""
        length = len(self.acknowledged) + 1
        await self.play(lambda: len(self.acknowledged) >= length and self._unanswered is None)
        if self.result == "*" and give_up is not None:
            await give_up()
            self.result = "resigned"
        if self.result == "*":
            self._unanswered = {"type": "resign", "version": len(self.acknowledged)}
            await self.play(lambda: False)
        await self._look_back()

    async def _while_connected(self, is_over: Callable[[], bool]) -> None:
        try:
            async with AsyncExitStack() as devices:
                device = await self._connect(devices)
                while self.result == "*" and not is_over():
                    if self._happens(TAKEN_OVER):
                        device, former = await self._connect(devices), device
                        self.takeovers += await former.superseded(device)
                    await self._act(device)
        except BROKEN as error:
            if isinstance(error, ConnectionClosed):
                self.close_codes.append(error.rcvd.code if error.rcvd else ABNORMAL)
            self._note("info")
            await asyncio.sleep(PAUSE_SECONDS)

    async def _connect(self, devices: AsyncExitStack) -> Device:
        reader = f"{self.id} {self.connections}"
        self.history.add(reader, "invoke", "read", self.id)
        device = await devices.enter_async_context(connected(self._guest, self.path, self.told))
        state = await device.receive()
        self.history.add(reader, "ok", "read", self.id, state["version"])
        self._compare(state)
        self.connections += 1
        self.has_begun.set()
        return device

    async def _act(self, device: Device) -> None:
        if self._unanswered is None:
            self._unanswered = self._choose()
            self._note("invoke")
        command = self._unanswered
        if self._happens(OVER_REST):
            await self._act_over_rest(command)
            return
        await device.send({"id": len(self.acknowledged), **command})
        while self._unanswered is not None:
            self._hear(await device.receive())

    async def _act_over_rest(self, command: Message) -> None:
        """Act while the socket stays open; it hears of the action before it is answered again."""
        version = command["version"]
        if command["type"] == "resign":
            answer = await self._guest.post(f"/api/games/{self.id}/resign/", {"version": version})
        else:
            body = {"action": _text_of(command), "version": version}
            answer = {**await self._guest.post(f"/api/games/{self.id}/actions/", body), "id": version}
        self.rest_actions += 1
        self._hear(answer)

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
            case "played" if message["id"] is not None:
                self._keep(message)
            case "finished":
                self._finish(message["result"])
            case "played" | "unwinnable" | "placed":
                pass  # what was done over REST, and what nobody asked for
            case "refused" if message["code"] == "unavailable":
                self.refused_on_full_disk += "disk is full" in message["message"]
                raise ConnectionError("the database is away")  # the same again, over another connection
            case _:
                raise AssertionError(f"game {self.id}, after {self._unanswered}: {message}")

    def _compare(self, state: Message) -> None:
        """Compare what the server kept with what was acknowledged; only what is unanswered may have been kept too."""
        on_the_way = self._unanswered is not None and not self._is_resigning
        known = len(self.acknowledged)
        assert state["type"] == "state", state
        assert known <= state["version"] <= known + on_the_way, (self.id, known, self._unanswered, state)
        self._legal = state["legal"]
        if state["result"] != "*":
            self._finish(state["result"])

    def _keep(self, played: Message) -> None:
        sent = self._unanswered
        assert sent is not None, played
        move = _text_of(sent)
        assert (played["version"], played["move"]) == (sent["version"] + 1, move), (self.id, sent, played)
        self._note("ok")
        self.acknowledged.append(move)
        self._legal, self._unanswered = played["legal"], None
        self._standing += -1 if move == "U" else 1
        if played["outcome"] == "won":
            self.result = "won"
        self.when_acknowledged()

    def _finish(self, result: str) -> None:
        """Take over how the game ended; a move that ended it is answered first."""
        self.history.add(self.id, "ok", "end", self.id, result)
        if self._unanswered is None or self._is_resigning:
            assert self._is_resigning or result == self.result, (self.id, self.result, result)
            self.result, self._unanswered = result, None

    async def _look_back(self) -> None:
        """Connect again: a late connection gets the end of the game, every time."""
        while True:
            try:
                async with AsyncExitStack() as devices:
                    device = await self._connect(devices)
                    while (message := await device.receive())["type"] != "finished":
                        self._hear(message)
                    assert message["result"] == self.result, (self.id, message)
                    return
            except BROKEN:
                await asyncio.sleep(PAUSE_SECONDS)

    def _note(self, kind: Type) -> None:
        """Write the action that is under way into the history."""
        if self._unanswered is not None and not self._is_resigning:
            step = self._unanswered["version"] + 1, _text_of(self._unanswered)
            self.history.add(self.id, kind, "act", self.id, step)

    def _happens(self, probability: float) -> bool:
        return self._has_many_devices and self._chance.random() < probability

    @property
    def _is_resigning(self) -> bool:
        return self._unanswered is not None and self._unanswered["type"] == "resign"


def _text_of(command: Message) -> str:
    """Return an action as the log has it."""
    text: str = command.get("move", "U")
    return text
