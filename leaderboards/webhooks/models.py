"""Addresses of operators that receive events, and the deliveries to them."""

import base64
import secrets
from typing import ClassVar

from django.core.validators import URLValidator
from django.db import models
from django.db.models import Q


class WebhookEvent(models.TextChoices):
    DAY_OPENED = "day.opened"
    DAY_CLOSED = "day.closed"
    DAY_FINAL = "day.final"
    SEASON_CLOSED = "season.closed"
    CLUB_WEEK = "club.week"
    DECISION_MADE = "decision.made"


def new_secret() -> str:
    """Return a key of 32 random bytes, as Standard Webhooks writes it."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


class Webhook(models.Model):
    """An address to which the worker sends events, signed with the secret."""

    address = models.CharField(max_length=500, validators=[URLValidator(["https", "http"])])
    events = models.JSONField(default=list, help_text="What is sent.")
    secret = models.CharField(max_length=100, default=new_secret, editable=False)
    is_active = models.BooleanField(default=True, help_text="An answer 410 ends it.")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.address


class Delivery(models.Model):
    """An event for a webhook. It is sent at `next_at` and again until it is accepted or a day is over."""

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    message = models.CharField(max_length=40, unique=True, help_text="The `webhook-id`, the same in each attempt.")
    event = models.CharField(max_length=20, choices=WebhookEvent.choices)
    subject = models.CharField(max_length=80, help_text="The day, the season, the week or the number of the decision.")
    body = models.TextField()
    created_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, help_text="Empty: accepted, or given up.")
    delivered_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True, help_text="That of the last answer.")
    error = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["webhook", "event", "subject"], name="each_event_once_per_webhook")
        ]
        indexes: ClassVar = [
            models.Index(fields=["next_at"], name="deliveries_to_send", condition=Q(next_at__isnull=False))
        ]
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.event} {self.subject}"
