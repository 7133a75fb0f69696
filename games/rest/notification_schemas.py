"""Answers of the REST API about notifications."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from games.kit.wire import JsonObject
from games.models import Notification as NotificationRow
from games.models import Player
from games.services import notifications


class Notification(JsonObject, frozen=True):
    """Something that concerns you alone."""

    id: int
    at: Annotated[datetime, Meta(tz=True)]
    kind: str
    subject: Annotated[str, Meta(description="What it is about, for programs; there is one of a kind and subject.")]
    words: Annotated[str, Meta(description="A sentence for people.")]
    page: Annotated[str, Meta(description="The path of the page about it, which may be empty.")]
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


class Notifications(JsonObject, frozen=True):
    """Some of your notifications."""

    notifications: Annotated[list[Notification], Meta(description="Newest first.")]
    unread: int
    next: Annotated[str | None, Meta(description="The address of older ones, if there may be some.")]


class NotificationKind(JsonObject, frozen=True):
    """A kind of notification."""

    kind: str
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
                for kind in notifications.kinds()
            ]
        )
