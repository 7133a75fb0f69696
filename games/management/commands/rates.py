"""Count how many random deals can be won."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from games.doors.commands import LightCommand, at_least_one, progress_bar
from games.doors.parallel import in_parallel
from games.rule_sets.counting import BadLine, Judged, columns, count, count_lengths, judge_deals, read, write
from games.rule_sets.win_rates import node_limit, win_rate
from games.rules import RULE_SETS, RulesError, RuleSet

SHORTEST_OF = 4_000
"""Deals whose shortest wins are counted by default."""
TOGETHER = 50
"""Deals in a row that a process judges before its verdicts are written."""


class Command(LightCommand):
    help = (
        "Count how many of the random deals 1 to N can be won by someone who sees every card, by each rule set: by "
        "default what the documents have, which takes hours for all of them. Deal 17 is the same cards on every "
        "machine. Prints a table as CSV with the ends of the 95 % interval, in per cent; deals that the solver leaves "
        "undecided make it wider. With --shortest also the mean milliseconds of CPU for a deal, the fewest actions of "
        "any win, and how many shortest wins have that length, one more, and so on."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py rates giza relaxed --jobs 2 --out verdicts.csv"
        parser.add_argument("rules", nargs="*", metavar="RULES", help="slugs (default: all rule sets)")
        parser.add_argument(
            "--deals",
            type=at_least_one,
            metavar="N",
            help=f"default: as many as the documents have, with --shortest {SHORTEST_OF}",
        )
        parser.add_argument("--jobs", type=at_least_one, default=1, metavar="N", help="how many at a time (default: 1)")
        parser.add_argument(
            "--out",
            type=Path,
            metavar="FILE",
            help="write a line for each deal; a file that exists is continued, and what it has is not judged again",
        )
        parser.add_argument(
            "--node-limit",
            type=at_least_one,
            metavar="N",
            help="leave a deal undecided after N nodes (default: as the documents, with --shortest a million)",
        )
        parser.add_argument(
            "--shortest", action="store_true", help="prove for each deal that is won how few actions it takes"
        )

    def handle(
        self, *, rules: Sequence[str], deals: int | None, jobs: int, out: Path | None, shortest: bool, **options: Any
    ) -> None:
        try:
            rule_sets = [RULE_SETS[slug] for slug in rules] or [*RULE_SETS.values()]
            known = _known(out, shortest)
        except (RulesError, OSError) as error:
            raise CommandError(str(error)) from error
        except (BadLine, UnicodeDecodeError) as error:
            raise CommandError(f"{out}: {error}") from error
        self.stdout.write("rules,deals,won,undecided,low,high" + ",ms,least,wins" * shortest)
        for one in rule_sets:
            last = deals or (SHORTEST_OF if shortest else win_rate(one).deals)
            limit = options["node_limit"] or (None if shortest else node_limit(one))
            rows = {row.deal: row for row in known.get(one.slug, []) if row.deal <= last}
            missing = [deal for deal in range(1, last + 1) if deal not in rows]
            judge = partial(judge_deals, one.slug, limit, shortest=shortest)
            for judged in self._judged(one, missing, jobs, judge):
                rows |= {row.deal: row for row in judged}
                if out:
                    with out.open("a", encoding="ascii") as file:
                        write(judged, file, shortest=shortest)
            self.stdout.write(f"{one.slug},{_row(rows.values(), shortest)}")

    def _judged(
        self, rules: RuleSet, deals: Collection[int], jobs: int, judge: Callable[[Sequence[int]], list[Judged]]
    ) -> Iterator[Sequence[Judged]]:
        """Yield the verdicts on deals, as many at a time as are written together."""
        numbers = sorted(deals)
        parts = [numbers[first : first + TOGETHER] for first in range(0, len(numbers), TOGETHER)]
        with progress_bar(self.stderr, len(numbers), "deal") as bar:
            bar.set_description(rules.slug)
            for judged in in_parallel(judge, parts, jobs):
                yield judged
                bar.update(len(judged))


def _row(rows: Collection[Judged], shortest: bool) -> str:
    """Return the fields of a row of the table behind the name of the rules."""
    total = count(rows)
    low, high = total.interval
    row = f"{total.deals},{total.won},{total.undecided},{low:.2f},{high:.2f}"
    return f"{row},{count_lengths(rows).text}" if shortest else row


def _known(out: Path | None, shortest: bool) -> dict[str, list[Judged]]:
    """Return the verdicts that a file has by rule set, and make it ready for more. Raises `BadLine` or `OSError`."""
    if out is None:
        return {}
    head = ",".join(columns(shortest=shortest))
    if not out.exists():
        out.write_text(f"{head}\n", encoding="ascii")
    with out.open("r+", encoding="ascii", newline="") as file:  # a character is a byte, with Windows line ends too
        text = file.read()
        whole = text[: text.rfind("\n") + 1]
        first, *lines = whole.splitlines() or [""]
        if first != head:
            raise BadLine(f"it does not begin with the columns {head}")
        rows = sorted(read(lines, shortest=shortest), key=attrgetter("rules"))
        file.truncate(len(whole))  # a run that was killed may have left half a line
    return {rules: list(of_rules) for rules, of_rules in groupby(rows, attrgetter("rules"))}
