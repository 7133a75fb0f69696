"""Devices on which players get notifications, what they want there, and the messages to them."""

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.players.models import Player

BROWSERS = {"google": "Chrome, Edge, Opera", "mozilla": "Firefox", "apple": "Safari", "windows": "Edge"}


class Subscription(models.Model):
    """A browser that gets notifications: an address at its push service, and the keys with which to encrypt for it."""

    LONGEST_ENDPOINT = 600

    player = models.ForeignKey(Player, models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=LONGEST_ENDPOINT, unique=True)
    p256dh = models.CharField(max_length=100, help_text="The public key of the browser.")
    auth = models.CharField(max_length=30, help_text="A secret that server and browser share.")
    server_key = models.CharField(max_length=100, help_text="Our public key, to which the push service holds us.")
    language = models.CharField(max_length=10)
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, help_text="When a message was last accepted.")
    refusals = models.PositiveSmallIntegerField(default=0, help_text="Messages refused since one was accepted.")

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.service}"

    @property
    def service(self) -> str:
        """The host of the push service; the rest of the address is between it and the browser."""
        return self.endpoint.split("/")[2]

    @property
    def browser(self) -> str:
        """The browsers that use this push service; its host if they are not known."""
        return next((names for part, names in BROWSERS.items() if part in self.service), self.service)


class WantedKind(models.Model):
    """A kind of notification that a player wants on a device."""

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="wanted", db_index=False)
    kind = models.CharField(max_length=24)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["subscription", "kind"], name="wanted_once")]
        indexes: ClassVar = [models.Index(fields=["kind", "subscription"], name="devices_that_want_a_kind")]
        ordering: ClassVar = ["kind"]

    def __str__(self) -> str:
        return f"{self.subscription_id} {self.kind}"


class QuietHours(models.Model):
    """The hours in which nothing arrives, by the player's clock; they may go over midnight."""

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="quiet_hours")
    time_zone = models.CharField(max_length=64)
    begins = models.PositiveSmallIntegerField()
    ends = models.PositiveSmallIntegerField(help_text="There are none if it equals the beginning.")

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(name="hours_of_a_day", condition=Q(begins__lt=24, ends__lt=24))]

    def __str__(self) -> str:
        return f"{self.player_id} {self.begins} to {self.ends}"


class PushMessage(models.Model):
    """A notification for a device, once for each kind and subject; its text is made when it is sent.

    An attempt takes `next_at` away; it comes back only if the message has surely not arrived.
    """

    KEPT = timedelta(days=2)  # longer than any message is of use, so that none is made again

    class Outcome(models.TextChoices):
        WAITING = "waiting"
        ACCEPTED = "accepted"
        QUIET = "quiet"  # of no use any more after the quiet hours
        OUTDATED = "outdated"
        REFUSED = "refused"
        UNKNOWN = "unknown"  # no answer came
        GONE = "gone"  # with the subscription

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="messages")
    sender = models.ForeignKey(
        Player,
        models.CASCADE,
        related_name="push_messages_sent",
        null=True,
        db_index=False,
        help_text="Whose name it has, so that it goes with that account.",
    )
    kind = models.CharField(max_length=24)
    subject = models.CharField(max_length=80)
    facts = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    until = models.DateTimeField(help_text="It is of no use from then on.")
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, help_text="Empty: under way, or over.")
    outcome = models.CharField(max_length=8, choices=Outcome.choices, default=Outcome.WAITING)
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["subscription", "kind", "subject"], name="one_message_per_device_subject")
        ]
        indexes: ClassVar = [
            models.Index(fields=["next_at"], name="messages_to_send", condition=Q(next_at__isnull=False)),
            models.Index(fields=["created_at"], name="messages_by_age"),
            models.Index(fields=["sender"], name="messages_by_sender", condition=Q(sender__isnull=False)),
        ]
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.subscription_id} {self.kind} {self.subject}"


class PushCount(models.Model):
    """The number of messages that ended in an outcome, ever."""

    outcome = models.CharField(max_length=8, primary_key=True)
    count = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.outcome} {self.count}"


class Reminder(models.Model):
    """A message to all devices that want its kind, and how far it has come, in the order of their keys."""

    kind = models.CharField(max_length=24)
    subject = models.CharField(max_length=80)
    at = models.DateTimeField(db_index=True)
    reached = models.PositiveBigIntegerField(default=0, help_text="The last device that was looked at.")
    is_over = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["kind", "subject"], name="one_reminder_per_subject")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"
