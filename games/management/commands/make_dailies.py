"""Commit to daily deals further ahead than the worker does."""

from argparse import ArgumentParser, ArgumentTypeError
from time import monotonic
from typing import Any

from games.calendar.dailies import commit_to_daily, missing_dailies
from games.doors.commands import LightCommand, progress
from games.runtime.clock import clock

MOST_DAYS = 3660


class Command(LightCommand):
    help = "Commit to the daily deals of today and the coming days that are still missing, for every division."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py make_dailies --days 31"
        parser.add_argument("--days", type=number_of_days, default=366, help="how many days, today included")

    def handle(self, *, days: int, **options: Any) -> None:
        now, began = clock.now(), monotonic()
        missing = missing_dailies(now, days - 1)
        created = [commit_to_daily(deal, now) for deal in progress(self.stderr, missing, "deal")]
        number, seconds = len(created) - created.count(None), monotonic() - began
        self.stdout.write(f"{number} daily deals committed to in {seconds:.0f} seconds.")


def number_of_days(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_DAYS:
        raise ArgumentTypeError(f"{text!r} is not a number of days from 1 to {MOST_DAYS}")
    return int(text)
