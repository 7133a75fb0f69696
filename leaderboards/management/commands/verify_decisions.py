"""Check the decision log, in the operator's database."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leaderboards.models import LogLine
from leaderboards.review.log import mistakes_in_log


class Command(BaseCommand):
    help = "Recompute the chain of the decision log and compare it with cases, scores and appeals."

    def handle(self, **options: Any) -> None:
        mistakes = mistakes_in_log()
        for mistake in mistakes:
            self.stdout.write(f"WRONG: {mistake}")
        if mistakes:
            raise CommandError(f"{len(mistakes)} mistakes in the decision log")
        self.stdout.write(f"The decision log is whole: {LogLine.objects.count()} lines.")
