"""Make certified deals in advance."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.core.management.base import CommandError

from games.calendar.certificates import make_deals
from games.calendar.models import Deal
from games.deals.certify import is_certifiable
from games.deals.grading import Grade
from games.doors.commands import LightCommand, at_least_one, progress_bar
from games.rules import RULE_SETS, UnknownRuleSet
from games.runtime.clock import clock


class Command(LightCommand):
    help = "Make deals that are proved winnable, with par and grade, for practice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py make_deals --rules giza --grade easy --count 20"
        parser.add_argument("--rules", default="standard", help="slug of the rule set")
        parser.add_argument("--count", type=at_least_one, default=1, metavar="N", help="number of deals (default: 1)")
        parser.add_argument("--grade", choices=[grade.value for grade in Grade], help="make only deals of this grade")

    def handle(self, *, rules: str, count: int, grade: str | None, **options: Any) -> None:
        try:
            rule_set = RULE_SETS[rules]
        except UnknownRuleSet as error:
            raise CommandError(str(error)) from error
        if not is_certifiable(rule_set):
            raise CommandError(f"deals of {rule_set.slug} cannot be certified, because solving them takes too long")
        others: Counter[str] = Counter()
        with progress_bar(self.stderr, count, "deal") as bar:

            def show_other(deal: Deal) -> None:
                others[str(deal.grade)] += 1
                bar.set_postfix(others)

            wanted = Grade(grade) if grade else None
            for deal in make_deals(rule_set, count, wanted, clock.now(), on_other_grade=show_other):
                bar.clear()
                moves = deal.greedy_moves or "-"
                self.stdout.write(f"{deal.id} {deal.rules} par {deal.par} greedy {moves} {deal.grade} {deal.deck}")
                bar.update()
