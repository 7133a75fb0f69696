"""Every message of `/ws/boards/{slug}/` as a type, its rows as over REST.

The server sends; clients only listen, or ping.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from games.kit import wire
from games.kit.wire import Message, Number
from leaderboards.wire import Row


class Ping(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Ask whether the connection is alive."""

    type: Literal["ping"]  # msgspec would omit the tag of a type that is not part of a union
    id: Number


class Table(Message, frozen=True):
    """The first rows, and the player's own row wherever it is, or null. Sent first; all later messages are changes."""

    board: str
    version: int
    count: int
    rows: list[Row]
    own: Row | None


class Changes(Message, frozen=True):
    """The changes since the last version sent: rows that are new or have moved, handles that left the first rows."""

    version: int
    count: int
    rows: list[Row]
    gone: list[str]
    own: Row | None


class Refused(Message, frozen=True):
    """The message was not understood."""

    code: Literal["bad_message"]
    message: str


class Pong(Message, frozen=True):
    """The answer to a ping."""

    id: int
    version: int


ServerMessage = Table | Changes | Refused | Pong

_decoder = msgspec.json.Decoder(Ping)


def read(frame: str) -> Ping:
    """Read a client's message. Raises `BadMessage`."""
    return wire.read(_decoder, frame)
