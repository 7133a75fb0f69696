"""Devices that get notifications, and the messages to them; what the messages say is shown to nobody."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from games.doors.admin.lists import ReadOnly, Related, relate
from games.players.models import Player
from games.push.models import PushMessage, Subscription

relate(Player, Related(_("devices that get notifications"), Subscription, "player"))
relate(Subscription, Related(_("messages"), PushMessage, "subscription"))


@admin.register(Subscription)
class SubscriptionAdmin(ReadOnly):
    """A device without what would let others send to it: the address of its browser, and its keys."""

    list_display = ("id", "player", "service", "language", "created_at", "sent_at", "refusals")
    list_select_related = ("player",)
    player_path = "player"
    linked_by = ("player",)
    fields = readonly_fields = (*list_display, "kinds", "related")

    @admin.display(description=_("service"))
    def service(self, subscription: Subscription) -> str:
        return subscription.service

    @admin.display(description=_("kinds"))
    def kinds(self, subscription: Subscription) -> str:
        return ", ".join(subscription.wanted.values_list("kind", flat=True))


@admin.register(PushMessage)
class PushMessageAdmin(ReadOnly):
    """Messages of the last two days, with how each ended."""

    list_display = ("id", "subscription", "kind", "outcome", "attempts", "created_at", "next_at", "error")
    list_filter = ("kind", "outcome")
    list_select_related = ("subscription",)
    player_path = "subscription__player"
    linked_by = ("subscription",)
    fields = readonly_fields = (*list_display, "until")
