"""Answers of the REST API about notifications."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from games.doors.wire import JsonObject
from games.notifications import notifications
from games.notifications.wire import Notification
from games.players.models import Player


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
