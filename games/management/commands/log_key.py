"""The key of the log: show it, replace it, or begin a new log."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.db import IntegrityError, transaction

from games.doors.commands import LightCommand
from games.runtime.clock import clock
from games.tlog.keys import is_in_file, keep_keys, log_keys
from games.tlog.notes import SecretKey
from games.tlog.rotating import begin_new_log, replace_key


class Command(LightCommand):
    help = "Show the public keys of the log; replace the key, or begin a new log after a restored database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py log_key --replace"
        change = parser.add_mutually_exclusive_group()
        change.add_argument("--replace", action="store_true", help="add a key, which signs beside the old one")
        change.add_argument("--retire", action="store_true", help="let only the newest key sign from now on")
        change.add_argument("--new-log", action="store_true", help="begin a log whose first new leaf names the old one")

    def handle(self, **options: Any) -> None:
        try:
            keys = self._keys(options)
        except (IntegrityError, OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        for secret in keys:
            self.stdout.write(secret.key.text)

    def _keys(self, options: dict[str, Any]) -> list[SecretKey]:
        """Return the keys that sign from now on, and keep them if they are others than before."""
        if options["replace"] or options["new_log"]:
            announced = replace_key if options["replace"] else begin_new_log
            with transaction.atomic():  # no leaf announces a key that could not be kept
                return self._kept(announced(log_keys(), clock.now()))
        if options["retire"]:
            return self._kept(log_keys()[:1])
        return log_keys()

    def _kept(self, keys: list[SecretKey]) -> list[SecretKey]:
        if is_in_file():
            keep_keys(keys)
        else:
            self.stdout.write("Give the worker this environment, and keep it secret:")
            self.stdout.write(f"PYRAMID_LOG_KEY='{' '.join(secret.text for secret in keys)}'")
            self.stdout.write("These are its public keys:")
        return keys
