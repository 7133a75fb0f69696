"""A score table as its client knows it. No I/O here: see `steps.py`."""

from __future__ import annotations

from typing import TypeAlias

from pyramid_client.board_messages import Changes, Pong, Refused, Row, Table
from pyramid_client.line import Line, socket_at
from pyramid_client.steps import Work

Message: TypeAlias = Table | Changes | Refused | Pong


class KnownBoard:
    """The first rows of a score table, `count` entries in all, and the signed-in player's own row, wherever it is.

    With a `club`, all of it is narrowed to the members of that.
    """

    def __init__(self, server: str, token: str, slug: str, club: str = "") -> None:
        self.slug = slug
        self.version = 0
        self.count = 0
        self.rows: list[Row] = []
        self.own: Row | None = None
        parts = ("clubs", club) if club else ()
        self._line: Line[Message] = Line(socket_at(server, *parts, "boards", slug), token, Message, self._learn)

    def _next(self) -> Work[Message]:
        def talk(first: Message | None) -> Work[Message]:
            return first or (yield from self._line.hear())

        return self._line.converse(talk)

    def _learn(self, message: Message) -> None:
        match message:
            case Table():
                self.rows = message.rows
            case Changes():
                changed = {row.player.handle for row in message.rows} | set(message.gone)
                kept = [row for row in self.rows if row.player.handle not in changed]
                self.rows = sorted([*kept, *message.rows], key=lambda row: row.place)
            case _:
                return
        self.version, self.count, self.own = message.version, message.count, message.own
