"""A game as its client knows it, and every conversation about it. No I/O here: see `steps.py`."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from pyramid_client import messages
from pyramid_client.errors import PyramidError, Refused
from pyramid_client.line import Line, socket_at
from pyramid_client.messages import (
    Finished,
    Hint,
    Hinted,
    Placed,
    Play,
    Played,
    Redo,
    Resign,
    Restart,
    Restarted,
    Standing,
    State,
    Superseded,
    Sync,
    Undo,
    Unwinnable,
)
from pyramid_client.steps import Work

Message: TypeAlias = (
    State | Played | messages.Refused | Hinted | Unwinnable | Finished | Placed | Restarted | Superseded
)
Command: TypeAlias = Play | Undo | Redo | Hint | Resign | Restart | Sync

A = TypeVar("A", Played, Hinted, Finished, State, Restarted)
LAST_ID = 2**31 - 1


class KnownGame:
    """A game as the server last described it.

    `version` is the number of actions, `legal` the moves that are possible now, `outcome` is `won`, `stuck` or None,
    and `result` is `*` while the game is played. `tableau` is the pyramid as text (docs/notation.md), in which a card
    that has left is `--`, and one that lay face down `??` until the next `state`. `finished` and `unwinnable` are
    None until the server sends them.
    """

    def __init__(self, server: str, token: str, *parts: str) -> None:
        self.id = ""
        self.rules = ""
        self.version = 0
        self.tableau = ""
        self.legal: list[str] = []
        self.moves = 0
        self.elapsed_ms = 0
        self.outcome: str | None = None
        self.result = "*"
        self.finished: Finished | None = None
        self.unwinnable: Unwinnable | None = None
        self._placed: Placed | None = None
        self._server = server
        self._line: Line[Message] = Line(socket_at(server, *parts), token, Message, self._learn)
        self._last_id = 0

    @property
    def is_over(self) -> bool:
        return self.result != "*"

    def _state(self) -> Work[State]:
        """Return the whole state: the first message of a new connection, or the answer to a question."""

        def talk(first: Message | None) -> Work[State]:
            if isinstance(first, State):
                return first
            yield from self._line.send(Sync(id=self._new_id()))
            return (yield from self._hear_until(State))

        return self._line.converse(talk)

    def _play(self, move: str) -> Work[Played]:
        return self._wanted(Played, Play(id=self._new_id(), version=self.version, move=move))

    def _undo(self) -> Work[Played]:
        return self._wanted(Played, Undo(id=self._new_id(), version=self.version))

    def _redo(self) -> Work[Played]:
        return self._wanted(Played, Redo(id=self._new_id(), version=self.version))

    def _hint(self) -> Work[Hinted]:
        return self._wanted(Hinted, Hint(id=self._new_id(), version=self.version))

    def _resign(self) -> Work[Finished]:
        return self._wanted(Finished, Resign(id=self._new_id(), version=self.version))

    def _restart(self) -> Work[str]:
        return (yield from self._wanted(Restarted, Restart(id=self._new_id()))).game

    def _wanted(self, kind: type[A], command: Command) -> Work[A]:
        """Return the answer to a command, which is sent again until it is answered. Raises `Refused`.

        It keeps the version that it was chosen at, so that the server takes it once, however often it arrives.
        """

        def talk(_: Message | None) -> Work[A]:
            yield from self._line.send(command)
            return (yield from self._answer_to(command, kind))

        if not self.id:
            raise PyramidError("read the state of the game first, with a `with` block or `state`")
        return (yield from self._line.carry_out(talk))

    def _answer_to(self, command: Command, kind: type[A]) -> Work[A]:
        while True:
            message = yield from self._line.hear()
            if isinstance(message, (kind, messages.Refused)) and getattr(message, "id", command.id) == command.id:
                break
        if isinstance(message, messages.Refused):
            if message.code == "stale_version":
                yield from self._hear_until(State)  # which explains it
            raise Refused(message.code, message.message)
        if self.outcome == "won" and not self.finished:
            yield from self._hear_until(Finished)
        return message

    def _hear_until(self, kind: type[A]) -> Work[A]:
        while not isinstance(message := (yield from self._line.hear()), kind):
            pass
        return message

    def _next(self) -> Work[Message]:
        """Return the next message, whatever it is."""

        def talk(first: Message | None) -> Work[Message]:
            return first or (yield from self._line.hear())

        return self._line.converse(talk)

    def _placements(self, seconds: float) -> Work[list[Standing]]:
        """Return the ranks of a ranked game that has ended; none if none arrive within these seconds."""

        def talk(_: Message | None) -> Work[list[Standing]]:
            while self._placed is None:
                if (yield from self._line.hear_within(seconds)) is None:
                    return []
            return self._placed.boards

        return self._line.converse(talk)

    def _new_id(self) -> int:
        self._last_id = self._last_id % LAST_ID + 1
        return self._last_id

    def _learn(self, message: Message) -> None:
        match message:
            case State():
                # A day's address would start another attempt tomorrow.
                self._line.address = socket_at(self._server, "games", message.game)
                self.id, self.rules, self.result = message.game, message.rules, message.result
                self.elapsed_ms = message.elapsed_ms
                self._move_on(message, message.position)
            case Played() if message.version > self.version:
                self.elapsed_ms = message.at_ms
                self._move_on(message, message.position or _without(self.tableau, message.move))
            case Hinted() if message.version > self.version:
                self.version = message.version
            case Finished():
                self.finished, self.result, self.elapsed_ms = message, message.result, message.elapsed_ms
            case Placed():
                self._placed = message
            case Unwinnable():
                self.unwinnable = message

    def _move_on(self, now: State | Played, position: str) -> None:
        self.version, self.legal, self.moves, self.outcome = now.version, now.legal, now.moves, now.outcome
        self.tableau = position.partition(" ")[0]


def _without(tableau: str, move: str) -> str:
    """Return the tableau after a move: the cards that it names have left it."""
    named = move.removeprefix("P")
    for card in (named[place : place + 2] for place in range(0, len(named) - 1, 2)):
        tableau = tableau.replace(card, "--")
    return tableau
