"""Check the decision log, in the operator's database."""

from typing import Any

from django.core.management.base import CommandError

from games.doors.commands import LightCommand, at_work
from games.runtime.clock import clock
from leaderboards.moderation.log import keep_check, mistakes_in_log


class Command(LightCommand):
    help = "Recompute the leaves of the decision log and compare it with cases, scores and appeals."

    def handle(self, **options: Any) -> None:
        with at_work(self.stderr, "Reading the log"):
            mistakes = mistakes_in_log()
        for mistake in mistakes:
            self.stdout.write(f"WRONG: {mistake}")
        kept = keep_check(mistakes, clock.now())
        if mistakes:
            raise CommandError(f"the decision log has {len(mistakes)} mistakes; nothing is decided until it has none")
        self.stdout.write(f"The decision log is intact: {kept.lines} lines.")
