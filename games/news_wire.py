"""The types of all messages about a player's notifications, for REST, the socket, OpenAPI and AsyncAPI."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from games.kit import wire
from games.kit.wire import JsonObject, Message, Number
from games.models import Notification as NotificationRow
from games.services import notifications


class Ping(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Ask whether the connection is alive."""

    type: Literal["ping"]  # msgspec would omit the tag of a type that is not part of a union
    id: Number


class Notification(JsonObject, frozen=True):
    """Something that concerns you alone."""

    id: int
    at: Annotated[datetime, Meta(tz=True)]
    kind: str
    subject: Annotated[str, Meta(description="What it is about, for programs; there is one of a kind and subject.")]
    words: Annotated[str, Meta(description="A sentence for people.")]
    page: Annotated[
        str,
        Meta(description="The path of the page about it, which may be empty; for you alone, as it may have an invite."),
    ]
    is_read: bool

    @classmethod
    def of(cls, row: NotificationRow) -> Notification:
        return cls(
            id=row.pk,
            at=row.at,
            kind=row.kind,
            subject=row.subject,
            words=notifications.words_of(row),
            page=notifications.address_of(row),
            is_read=row.read_at is not None,
        )


class News(Message, frozen=True):
    """The number of unread notifications, and the new ones since the last `news`, at most the newest 20.

    There are none in the first message, nor if notifications were only marked as read on another device.
    """

    unread: int
    notifications: list[Notification]


class Refused(Message, frozen=True):
    """The message was not understood."""

    code: Literal["bad_message"]
    message: str


class Pong(Message, frozen=True):
    """The answer to a ping."""

    id: int


ServerMessage = News | Refused | Pong

_decoder = msgspec.json.Decoder(Ping)


def read(frame: str) -> Ping:
    """Read a client's message. Raises `BadMessage`."""
    return wire.read(_decoder, frame)
