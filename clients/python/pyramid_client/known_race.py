"""A race as its client knows it, and every conversation about it. No I/O here: see `steps.py`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TypeAlias

from msgspec.structs import replace

from pyramid_client import errors
from pyramid_client.line import Line, socket_at
from pyramid_client.race_messages import Done, Leave, Pong, Race, Refused, Rematch, Room, Standings, Start
from pyramid_client.steps import Work

Message: TypeAlias = Room | Standings | Done | Refused | Pong
Command: TypeAlias = Start | Leave | Rematch


class KnownRace:
    """A race as the server last described it. `race` is None until the first message."""

    def __init__(self, server: str, token: str, race_id: str) -> None:
        self.id = race_id
        self.race: Race | None = None
        self._ids = count(1)
        self._line: Line[Message] = Line(socket_at(server, "races", race_id), token, Message, self._learn)

    def _next(self) -> Work[Message]:
        def talk(first: Message | None) -> Work[Message]:
            return first or (yield from self._line.hear())

        return self._line.converse(talk)

    def _room(self) -> Work[Race]:
        return self._until(lambda race: True)

    def _begun(self) -> Work[str | None]:
        race = yield from self._until(lambda race: race.game is not None or race.state == "ended")
        return race.game

    def _ended(self) -> Work[Race]:
        return self._until(lambda race: race.state == "ended")

    def _until(self, holds: Callable[[Race], bool]) -> Work[Race]:
        def talk(_: Message | None) -> Work[Race]:
            while self.race is None or not holds(self.race):
                yield from self._line.hear()
            return self.race

        return self._line.converse(talk)

    def _carry_out(self, kind: type[Command]) -> Work[str]:
        """Return the race that a command leads to; it is sent again until it is answered. Raises `Refused`."""
        command = kind(id=next(self._ids))

        def talk(_: Message | None) -> Work[str]:
            yield from self._line.send(command)
            while True:
                match (yield from self._line.hear()):
                    case Done(id=command.id, race=race):
                        return race
                    case Refused(id=command.id | None) as refused:
                        raise errors.Refused(refused.code, refused.message)

        return self._line.carry_out(talk)

    def _learn(self, message: Message) -> None:
        match message:
            case Room():
                self.race = message.race
            case Standings() if self.race is not None:
                new = {racer.handle: racer for racer in message.racers}
                racers = [new.get(racer.handle, racer) for racer in self.race.racers]
                self.race = replace(self.race, racers=racers)
