"""Django's own command, which changes a password and ends nothing, made to end everything that opens the account."""

from getpass import getuser
from typing import Any

from django.contrib.auth.management.commands import changepassword

from games.keys.keys import end_keys
from games.players.models import Player


class Command(changepassword.Command):
    def handle(self, *arguments: Any, **options: Any) -> str | None:
        said: str | None = super().handle(*arguments, **options)
        end_keys(Player.objects.get(username=options["username"] or getuser()))
        return said
