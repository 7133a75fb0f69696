"""The messages of sockets on which a client may only ping."""

from typing import Literal

import msgspec

from games.doors import wire
from games.doors.wire import Message, Number


class Ping(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Ask whether the connection is alive."""

    type: Literal["ping"]  # msgspec would omit the tag of a type that is not part of a union
    id: Number


class Refused(Message, frozen=True):
    """The message was not understood."""

    code: Literal["bad_message"]
    message: str


_decoder = msgspec.json.Decoder(Ping)


def read(frame: str) -> Ping:
    """Read a client's message. Raises `BadMessage`."""
    return wire.read(_decoder, frame)
