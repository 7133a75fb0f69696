"""The types of all messages about a player's notifications, for REST, the socket, OpenAPI and AsyncAPI."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar

from django.utils.translation import gettext
from msgspec import UNSET, Meta, UnsetType

from games.doors.sockets import pings
from games.doors.wire import Address, Check, Code, Input, JsonObject, LastId, Message, Number, RowId, Text
from games.notifications import models, notifications
from games.players.models import Player

Ping = pings.Ping
Refused = pings.Refused
read = pings.read


class NotificationsInput(Input, frozen=True):
    """The position in the list to continue from."""

    before: Annotated[RowId | UnsetType, Meta(description="The id of a notification.")] = UNSET


class ReadUpToInput(Input, frozen=True):
    """Up to which one all are read, or that one alone."""

    example: ClassVar = {"up_to": 7}

    up_to: Annotated[LastId, Meta(description="The id of a notification.")]
    only: Annotated[bool, Meta(description="Only that one, and none before it.")] = False


def _optional() -> set[str]:
    return {kind.code for kind in notifications.listed_kinds() if kind.is_optional}


def _mistake_in_kinds(codes: list[str]) -> str | None:
    return None if _optional().issuperset(codes) else gettext("There is no such kind, or it cannot be switched off.")


class NotificationSettingsInput(Input, frozen=True):
    """The kinds of notifications that you do not want."""

    example: ClassVar = {"off": []}

    off: Annotated[
        list[Annotated[Text, Meta(max_length=24)]],
        Meta(max_length=50, description="All others are on."),
        Check(_mistake_in_kinds),
    ]

    @classmethod
    def document(cls, schema: dict[str, Any]) -> None:
        schema["properties"]["off"]["items"] = {"enum": sorted(_optional())}


class Notification(JsonObject, frozen=True):
    """Something that concerns you alone."""

    id: RowId
    at: Annotated[datetime, Meta(tz=True)]
    kind: Code
    subject: Annotated[
        str, Meta(max_length=80, description="What it is about, for programs; there is one of a kind and subject.")
    ]
    words: Annotated[str, Meta(description="A sentence for people.")]
    page: Annotated[
        Address,
        Meta(description="The path of the page about it, which may be empty; for you alone, as it may have an invite."),
    ]
    is_read: bool

    @classmethod
    def of(cls, row: models.Notification) -> Notification:
        return cls(
            id=row.pk,
            at=row.at,
            kind=row.kind,
            subject=row.subject,
            words=notifications.words_of(row),
            page=notifications.address_of(row),
            is_read=row.read_at is not None,
        )


class Notifications(JsonObject, frozen=True):
    """Some of your notifications."""

    notifications: Annotated[list[Notification], Meta(description="Newest first.")]
    unread: Number
    next: Annotated[Address | None, Meta(description="The address of older ones, if there may be some.")]


class NotificationKind(JsonObject, frozen=True):
    """A kind of notification."""

    kind: Code
    title: str
    is_on: bool
    is_optional: Annotated[bool, Meta(description="It can be switched off.")]


class NotificationSettings(JsonObject, frozen=True):
    """The kinds of notifications, and whether you get them."""

    kinds: list[NotificationKind]

    @classmethod
    def of(cls, player: Player) -> NotificationSettings:
        muted = notifications.muted_by(player)
        return cls(
            [
                NotificationKind(kind.code, str(kind.title), kind.code not in muted, kind.is_optional)
                for kind in notifications.listed_kinds()
            ]
        )


class News(Message, frozen=True):
    """The number of unread notifications, and the new ones since the last `news`, at most the newest 20.

    In the first message there are only unread ones that cannot wait, such as a match that has just begun. There are
    none if notifications were only marked as read on another device.
    """

    unread: Number
    notifications: list[Notification]


class Pong(Message, frozen=True):
    """The answer to a ping."""

    id: Number


ServerMessage = News | Refused | Pong
