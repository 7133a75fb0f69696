from __future__ import annotations

from typing import Annotated, ClassVar

from django.utils.translation import gettext
from msgspec import UNSET, Meta, UnsetType

from games.doors.wire import Check, Code, Input, JsonObject, Number, RowId, Text, documented
from games.players.models import Player
from games.players.wire import Time
from games.push import models
from games.push.encryption import server_key
from games.push.quiet_hours import is_time_zone, quiet_hours_of
from games.push.subscriptions import (
    MOST_SUBSCRIPTIONS,
    Keys,
    kinds_to_push,
    mistake_in_endpoint,
    mistake_in_keys,
    subscriptions_of,
)

Hour = Annotated[int, Meta(ge=0, le=23)]


def _mistake_in_kinds(codes: list[str]) -> str | None:
    known = {kind.code for kind in kinds_to_push()}
    return None if known.issuperset(codes) else gettext("There is no such kind for devices.")


def _mistake_in_zone(name: str) -> str | None:
    return None if is_time_zone(name) else gettext("There is no such time zone.")


TimeZone = Annotated[
    Text, Meta(max_length=64, description="The name of a time zone, such as `Europe/Berlin`."), Check(_mistake_in_zone)
]


class SubscriptionInput(Input, frozen=True):
    """The subscription of a browser, as `PushSubscription.toJSON()` has it, and what you want there."""

    example: ClassVar = {
        "endpoint": "https://fcm.googleapis.com/fcm/send/c1KrmpTuRm4",
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        "kinds": ["invited"],
        "time_zone": "Europe/Berlin",
    }

    endpoint: Annotated[
        Text,
        Meta(
            max_length=models.Subscription.LONGEST_ENDPOINT,
            description="An address, `https://...`, of a push service that this server sends to.",
        ),
        Check(mistake_in_endpoint),
    ]
    p256dh: Annotated[Text, Meta(max_length=100, description="A point of the curve P-256 in base64url.")]
    auth: Annotated[Text, Meta(max_length=30, description="16 bytes in base64url.")]
    kinds: Annotated[
        list[Annotated[Text, Meta(max_length=24)]],
        Meta(max_length=50, description="Codes of kinds, as `GET /api/me/push/` has them."),
        Check(_mistake_in_kinds),
    ]
    time_zone: Annotated[TimeZone | UnsetType, Meta(description="For your first quiet hours, at night.")] = UNSET

    def mistakes(self) -> dict[str, str]:
        mistake = mistake_in_keys(self.p256dh, self.auth)
        return {"p256dh": mistake} if mistake else {}

    @property
    def keys(self) -> Keys:
        return Keys(self.endpoint, self.p256dh, self.auth)


class QuietHoursInput(Input, frozen=True):
    """The hours in which nothing arrives, by your clock; none if they begin and end together."""

    example: ClassVar = {"time_zone": "Europe/Berlin", "begins": 22, "ends": 8}

    time_zone: TimeZone
    begins: Hour
    ends: Hour


class Subscription(JsonObject, frozen=True):
    """A device of yours that gets notifications."""

    id: RowId
    endpoint: Annotated[str, documented(format="uri")]
    kinds: list[Code]
    created_at: Time
    sent_at: Annotated[Time | None, Meta(description="When a notification was last taken by its push service.")]

    @classmethod
    def of(cls, row: models.Subscription) -> Subscription:
        wanted = sorted(one.kind for one in row.wanted.all())
        return cls(row.pk, row.endpoint, wanted, row.created_at, row.sent_at)


class PushKind(JsonObject, frozen=True):
    """A kind of notification that devices can get."""

    kind: Code
    title: str


class QuietHours(JsonObject, frozen=True):
    """The hours in which nothing arrives."""

    time_zone: Annotated[str, Meta(min_length=1, max_length=64)]
    begins: Hour
    ends: Hour


class PushSettings(JsonObject, frozen=True):
    """Your devices that get notifications, and what they can get."""

    server_key: Annotated[
        str, Meta(pattern="^[A-Za-z0-9_-]+$", description="The `applicationServerKey` to subscribe with.")
    ]
    kinds: list[PushKind]
    subscriptions: Annotated[list[Subscription], Meta(description="In the order in which they were added.")]
    most: Annotated[Number, Meta(description="How many devices you may have.")]
    quiet_hours: QuietHours | None

    @classmethod
    def of(cls, player: Player) -> PushSettings:
        hours = quiet_hours_of(player)
        return cls(
            server_key=server_key(),
            kinds=[PushKind(kind.code, str(kind.title)) for kind in kinds_to_push()],
            subscriptions=[Subscription.of(row) for row in subscriptions_of(player)],
            most=MOST_SUBSCRIPTIONS,
            quiet_hours=QuietHours(hours.time_zone, hours.begins, hours.ends) if hours else None,
        )
