"""Register an app for which players can allow something."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from games.doors.refusals import Refusal
from games.oauth.forms import AppForm
from games.oauth.registering import register_app
from games.players.names import find_player
from games.runtime.clock import clock


class Command(BaseCommand):
    help = (
        "Register an app of a player, and print its client_id. "
        "Example: register_app carol Widget https://widget.example/"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("owner", help="the handle of the player whose app it is")
        parser.add_argument("name", help="the name that players see")
        parser.add_argument("addresses", nargs="*", help="where players are sent back to; none for a device")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            name = AppForm.base_fields["name"].clean(options["name"])
            app = register_app(find_player(options["owner"]), name, options["addresses"], clock.now())
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        except ValidationError as mistake:
            raise CommandError(f"{options['name']!r} cannot be the name of an app: {mistake.messages[0]}") from mistake
        self.stdout.write(app.pk)
