"""Remove an app of somebody, such as one that deceives players."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.oauth.models import App
from games.oauth.registering import remove_app


class Command(BaseCommand):
    help = "Remove an app, and end everything that players have allowed it. Example: remove_app 2x9k4m7vq1ht"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("client_id", help="as players see it in the address when they are asked")

    def handle(self, *args: Any, **options: Any) -> None:
        app = App.objects.filter(pk=options["client_id"]).first()
        if app is None:
            raise CommandError("there is no such app")
        remove_app(app)
