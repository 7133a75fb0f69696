"""A streak or a storm as its client knows it, and every conversation about it. No I/O here: see `steps.py`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TypeAlias

from pyramid_client import errors
from pyramid_client.line import Line, socket_at
from pyramid_client.run_messages import End, Judged, Look, Pong, Refused, Remove, Run, Shown
from pyramid_client.steps import Work

Message: TypeAlias = Shown | Judged | Refused | Pong
Command: TypeAlias = Remove | Look | End


class KnownRun:
    """A run as the server last described it. `run` is None until the first message."""

    def __init__(self, server: str, token: str, run_id: str) -> None:
        self.id = run_id
        self.run: Run | None = None
        self._ids = count(1)
        self._line: Line[Message] = Line(socket_at(server, "runs", run_id), token, Message, self._learn)

    def _look(self) -> Work[Run]:
        return (yield from self._ask(Look(id=next(self._ids)))).run

    def _end(self) -> Work[Run]:
        return (yield from self._ask(End(id=next(self._ids)))).run

    def _remove(self, moves: Sequence[str]) -> Work[Judged]:
        """Judge removals in the puzzle that is shown. Raises `Refused` with `run_over` if none is."""
        run = self.run if self.run is not None else (yield from self._look())
        if run.shown is None:
            raise errors.Refused("run_over", f"the run {self.id} is over")
        judged = yield from self._ask(Remove(id=next(self._ids), number=run.shown.number, moves=[*moves]))
        assert isinstance(judged, Judged)  # noqa: S101  by the number of the removal
        return judged

    def _ask(self, command: Command) -> Work[Shown | Judged]:
        """Return the answer to a command; it is sent again until it is answered. Raises `Refused`."""

        def talk(_: Message | None) -> Work[Shown | Judged]:
            yield from self._line.send(command)
            while True:
                match (yield from self._line.hear()):
                    case Shown(id=command.id) | Judged(id=command.id) as answer:
                        return answer
                    case Refused(id=command.id | None) as refused:
                        raise errors.Refused(refused.code, refused.message)

        return self._line.carry_out(talk)

    def _learn(self, message: Message) -> None:
        if isinstance(message, Shown | Judged):
            self.run = message.run
