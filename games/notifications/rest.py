from collections.abc import Sequence
from functools import partial

from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest import on_loop
from games.doors.rest.on_loop import Arrival, Granted
from games.doors.rest.openapi import CHANGES, FOR_PLAYERS, Answer, operation
from games.doors.scopes import Scope
from games.keys.on_loop import door_for_players, known_player
from games.notifications import examples, notifications, wire
from games.notifications.models import Notification
from games.players.endpoint import PlayersEndpoint
from games.runtime.clock import clock
from games.runtime.gathering import Gathering
from games.runtime.per_loop import PerLoop

PER_PAGE = 50


class OwnNotifications(PlayersEndpoint):
    @operation(
        "list_notifications",
        Answer(examples.NOTIFICATIONS),
        FOR_PLAYERS,
        parameters=[wire.NotificationsInput],
        scope=Scope.NOTIFICATIONS,
    )
    def get(self, request: Request) -> Response:
        """List your notifications, such as achievements and invitations, newest first."""
        return Response(self._page(self.query(wire.NotificationsInput).before or None))

    def _page(self, before: int | None = None) -> wire.Notifications:
        own = notifications.notifications_of(self.player)
        rows = list((own.filter(pk__lt=before) if before else own)[:PER_PAGE])
        return _page_of(rows, notifications.unread(self.player))


def _page_of(rows: Sequence[Notification], unread: int) -> wire.Notifications:
    older = f"/api/me/notifications/?before={rows[-1].pk}" if len(rows) == PER_PAGE else None
    return wire.Notifications([wire.Notification.of(row) for row in rows], unread, older)


def _newest(players: Sequence[int]) -> list[tuple[list[Notification], int]]:
    found = notifications.newest_of(set(players), PER_PAGE)
    return [found[player] for player in players]


# After the end of a process thousands who were connected to it look at the same moment for what they have missed.
_readings = PerLoop(lambda: Gathering(_newest))


async def list_on_loop(arrival: Arrival) -> Granted:
    return Granted(_page_of(*await _readings().get(arrival.player.pk)))


on_loop.register(
    door_for_players("GET", "/api/me/notifications/", wire.NotificationsInput, list_on_loop)._replace(
        player_of=partial(known_player, needed=Scope.NOTIFICATIONS)
    )
)


class ReadNotifications(OwnNotifications):
    http_method_names = ["post"]

    @operation(
        "read_notifications", Answer(examples.NOTIFICATIONS), CHANGES, wire.ReadUpToInput, scope=Scope.NOTIFICATIONS
    )
    def post(self, request: Request) -> Response:
        """Mark all notifications up to one as read, or just that one, and read the newest."""
        asked = self.body(wire.ReadUpToInput)
        notifications.mark_read(self.player, asked.up_to, clock.now(), only=asked.only)
        return Response(self._page())


class OwnNotificationSettings(PlayersEndpoint):
    @operation(
        "read_notification_settings", Answer(examples.NOTIFICATION_SETTINGS), FOR_PLAYERS, scope=Scope.NOTIFICATIONS
    )
    def get(self, request: Request) -> Response:
        """Read the kinds of notifications, and which of them are on."""
        return Response(wire.NotificationSettings.of(self.player))

    @operation(
        "change_notification_settings",
        Answer(examples.NOTIFICATION_SETTINGS),
        CHANGES,
        wire.NotificationSettingsInput,
        scope=Scope.NOTIFICATIONS,
    )
    def put(self, request: Request) -> Response:
        """Switch kinds of notifications off, and all others on, from now on."""
        notifications.mute(self.player, self.body(wire.NotificationSettingsInput).off)
        return Response(wire.NotificationSettings.of(self.player))


urlpatterns = [
    path("me/notifications/", OwnNotifications.as_view(), name="notifications"),
    path("me/notifications/read/", ReadNotifications.as_view(), name="read-notifications"),
    path("me/notifications/settings/", OwnNotificationSettings.as_view(), name="notification-settings"),
]
