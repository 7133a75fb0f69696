"""Check that daily deals match their commitments and are the first winnable ones of their seeds."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import CommandError

from games.calendar.verification import dailies_to_verify, mistakes_in, mistakes_in_commitments
from games.deals.daily import Division
from games.doors.commands import LightCommand, progress
from games.rules import RULE_SETS, UnknownRuleSet
from games.tlog.heads import Head
from games.tlog.signing import head_in, mistakes_in_signed_log


class Command(LightCommand):
    help = "Check daily deals: recompute the log, the commitment, the deck and the choice of the candidate."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py verify_daily 2026-11-20 --rules standard"
        parser.add_argument("date", nargs="?", help="a day such as 2026-11-20 (default: all days)")
        parser.add_argument("--rules", help="only deals of this rule set")
        parser.add_argument(
            "--division", choices=[division.value for division in Division], help="only deals of this division"
        )
        parser.add_argument(
            "--checkpoint",
            action="append",
            default=[],
            type=kept_head,
            metavar="FILE",
            help="a copy of /tlog/checkpoint that you have kept",
        )

    def handle(self, *, date: str | None, rules: str | None, division: str | None, **options: Any) -> None:
        began = monotonic()
        dailies = dailies_to_verify(day_of(date), slug_of(rules), division)
        if not dailies:
            raise CommandError("there is no such daily deal")
        mistakes = mistakes_in_signed_log(options["checkpoint"]) + mistakes_in_commitments()
        for daily in progress(self.stderr, dailies, "deal"):
            mistakes += mistakes_in(daily)
        for mistake in mistakes:
            self.stdout.write(f"WRONG: {mistake}")
        if mistakes:
            raise CommandError(f"{len(mistakes)} mistakes in {len(dailies)} daily deals")
        self.stdout.write(
            f"The log holds, and {len(dailies)} daily deals match their commitments, "
            f"each the first fitting deck of its seed ({monotonic() - began:.0f} seconds)."
        )


def kept_head(path: str) -> Head:
    try:
        return head_in(Path(path).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ArgumentTypeError(f"{path} is not a checkpoint: {error}") from error


def day_of(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise CommandError(f"{text!r} is not a day such as 2026-11-20") from error


def slug_of(name: str | None) -> str | None:
    try:
        return RULE_SETS[name].slug if name else None
    except UnknownRuleSet as error:
        raise CommandError(str(error)) from error
