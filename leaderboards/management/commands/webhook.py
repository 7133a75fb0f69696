"""Add a webhook, or send it a test event."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from games.doors.commands import LightCommand
from games.runtime.clock import clock
from leaderboards.webhooks.models import Webhook, WebhookEvent
from leaderboards.webhooks.webhooks import send_test_event


class Command(LightCommand):
    help = (
        "add ADDRESS EVENT ...: add a webhook and print its key. "
        "test ADDRESS: send it a signed event `test` now, and print the text that is signed and the answer."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py webhook add https://example.org/hook day.opened day.final"
        parser.add_argument("action", choices=["add", "test"])
        parser.add_argument("address", help="where events are sent")
        parser.add_argument("events", nargs="*", metavar="EVENT", help=", ".join(WebhookEvent.values))

    def handle(self, *, action: str, address: str, events: list[str], **options: Any) -> None:
        if action == "add":
            self._add(address, events)
        else:
            self._test(address)

    def _add(self, address: str, events: list[str]) -> None:
        if not events or set(events) - set(WebhookEvent.values):
            raise CommandError(f"name one event or more of {', '.join(WebhookEvent.values)}")
        webhook = Webhook(address=address, events=events)
        try:
            webhook.full_clean()
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error
        webhook.save()
        self.stdout.write(webhook.secret)

    def _test(self, address: str) -> None:
        webhook = Webhook.objects.filter(address=address).order_by("-pk").first()
        if webhook is None:
            raise CommandError(f"there is no webhook {address}: manage.py webhook add {address} EVENT ...")
        sent = send_test_event(webhook, clock.now())
        self.stdout.write(f"signed     {sent.signed}\nsignature  {sent.signature}\nanswer     {sent.answer}")
        if not sent.is_accepted:
            raise CommandError("the event was not accepted")
