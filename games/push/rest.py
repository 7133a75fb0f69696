from django.urls import path
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.openapi import CHANGES, FOR_PLAYERS, Answer, operation
from games.players.endpoint import PlayersEndpoint
from games.push import wire
from games.push.examples import PUSH_SETTINGS
from games.push.quiet_hours import keep_quiet
from games.push.refusals import SubscriptionTaken, TooManySubscriptions
from games.push.subscriptions import subscribe, unsubscribe
from games.runtime.clock import clock

DEFAULT_ZONE = "UTC"


class OwnPushSettings(PlayersEndpoint):
    @operation("read_push_settings", Answer(PUSH_SETTINGS), FOR_PLAYERS)
    def get(self, request: Request) -> Response:
        """Read which of your devices get which notifications, and your quiet hours."""
        return Response(wire.PushSettings.of(self.player))


class OwnSubscriptions(PlayersEndpoint):
    http_method_names = ["post"]

    @operation(
        "add_push_subscription",
        Answer(PUSH_SETTINGS),
        (*CHANGES, SubscriptionTaken, TooManySubscriptions),
        wire.SubscriptionInput,
    )
    def post(self, request: Request) -> Response:
        """Get notifications in a browser, in the language of this request, or choose what else arrives there."""
        asked = self.body(wire.SubscriptionInput)
        subscribe(self.player, asked.keys, asked.kinds, asked.time_zone or DEFAULT_ZONE, clock.now())
        return Response(wire.PushSettings.of(self.player))


class OneSubscription(PlayersEndpoint):
    http_method_names = ["delete"]

    @operation("remove_push_subscription", Answer(PUSH_SETTINGS), (*CHANGES, exceptions.NotFound))
    def delete(self, request: Request, subscription: int) -> Response:
        """End the notifications on a device; one that is not yours, or gone already, changes nothing."""
        unsubscribe(self.player, subscription)
        return Response(wire.PushSettings.of(self.player))


class OwnQuietHours(PlayersEndpoint):
    http_method_names = ["put"]

    @operation("change_quiet_hours", Answer(PUSH_SETTINGS), CHANGES, wire.QuietHoursInput)
    def put(self, request: Request) -> Response:
        """Set the hours in which nothing arrives: what is still of use arrives after them."""
        asked = self.body(wire.QuietHoursInput)
        keep_quiet(self.player, asked.time_zone, asked.begins, asked.ends)
        return Response(wire.PushSettings.of(self.player))


urlpatterns = [
    path("me/push/", OwnPushSettings.as_view(), name="push-settings"),
    path("me/push/subscriptions/", OwnSubscriptions.as_view(), name="push-subscriptions"),
    path("me/push/subscriptions/<int:subscription>/", OneSubscription.as_view(), name="push-subscription"),
    path("me/push/quiet-hours/", OwnQuietHours.as_view(), name="quiet-hours"),
]
