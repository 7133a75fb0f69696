from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.openapi import CHANGES, FOR_PLAYERS, Answer, operation
from games.doors.scopes import Scope
from games.notifications import examples, notifications, wire
from games.players.endpoint import PlayersEndpoint
from games.runtime.clock import clock

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
        older = f"/api/me/notifications/?before={rows[-1].pk}" if len(rows) == PER_PAGE else None
        return wire.Notifications([wire.Notification.of(row) for row in rows], notifications.unread(self.player), older)


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
