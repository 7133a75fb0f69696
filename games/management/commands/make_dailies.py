"""Commit to daily deals further ahead than the worker does."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from games.services.dailies import commit_to_daily, missing_dailies

MOST_DAYS = 3660


class Command(BaseCommand):
    help = "Commit to the daily deals of today and the coming days that are still missing, for every division."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=number_of_days, default=366, help="how many days, today included")

    def handle(self, *, days: int, **options: Any) -> None:
        now = datetime.now(UTC)
        missing = missing_dailies(now, days - 1)
        created = [commit_to_daily(key, now) for key in tqdm(missing, unit="deal", file=self.stderr, disable=None)]
        self.stdout.write(f"{len(created) - created.count(None)} daily deals were committed to.")


def number_of_days(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_DAYS:
        raise ArgumentTypeError(f"days are a number from 1 to {MOST_DAYS}, not {text!r}")
    return int(text)
