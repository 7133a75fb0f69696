"""Divide the tables of games and entries by month."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from psycopg.errors import InsufficientPrivilege

from games.doors.commands import LightCommand
from games.runtime.clock import clock
from leaderboards.boards import months


class Command(LightCommand):
    help = "Divide the tables of games and entries by month, in PostgreSQL and as their owner; once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py partition_tables"

    def handle(self, **options: Any) -> None:
        if connection.vendor != "postgresql":
            raise CommandError("Only PostgreSQL has partitions: DATABASE_URL has to name one.")
        if months.is_divided():
            raise CommandError("The tables are divided already; the worker makes the partitions of coming months.")
        try:
            since = months.divide_at_once(clock.now())
        except DatabaseError as error:
            if isinstance(error.__cause__, InsufficientPrivilege):
                raise  # `manage.py` says who may
            raise CommandError(f"Nothing was changed: {str(error).splitlines()[0]}") from error
        self.stdout.write(f"Each month from {since:%Y-%m} on has its own partition of {months.TABLES}.")
