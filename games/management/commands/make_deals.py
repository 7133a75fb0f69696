"""Make certified deals in advance."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from games.deals.certify import is_certifiable
from games.deals.grading import Grade
from games.rules import RULE_SETS, UnknownRuleSet
from games.services.certificates import make_deals


class Command(BaseCommand):
    help = "Make deals that are proved winnable, with par and grade, for practice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rules", default="standard", help="slug of the rule set")
        parser.add_argument("--count", type=int, default=1)
        parser.add_argument("--grade", choices=list(Grade), help="make only deals of this grade")

    def handle(self, *, rules: str, count: int, grade: str | None, **options: Any) -> None:
        try:
            rule_set = RULE_SETS[rules]
        except UnknownRuleSet as error:
            raise CommandError(str(error)) from error
        if not is_certifiable(rule_set):
            raise CommandError(f"deals of {rule_set.slug} cannot be certified, because solving them takes too long")
        deals = make_deals(rule_set, count, Grade(grade) if grade else None, timezone.now())
        for deal in tqdm(deals, total=count, unit="deal", file=self.stderr, disable=None):
            moves = deal.greedy_moves or "-"
            self.stdout.write(f"{deal.id} {deal.rules} par {deal.par} greedy {moves} {deal.grade} {deal.deck}")
