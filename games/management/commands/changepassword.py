"""Django's own command, which changes a password and ends nothing, made to end everything that opens the account."""

from getpass import getuser
from typing import Any

from django.contrib.auth.management.commands import changepassword
from django.core.management.base import CommandError

from games.keys.keys import end_keys
from games.players.models import Player


class Command(changepassword.Command):
    def handle(self, *arguments: Any, **options: Any) -> str | None:
        try:
            said: str | None = super().handle(*arguments, **options)
        except EOFError as error:
            raise CommandError("there is no terminal, and no input, to read the password from") from error
        end_keys(Player.objects.get(username=options["username"] or getuser()))
        return said
