"""The results of careless and careful play on winnable deals, from which the limits of the grades were chosen.

    python -m tests.bench.grades [rule sets] [--deals 2000]

Prints a row of docs/solver.md for each rule set: deciles of both players' wins, the limits that cut off the thirds,
and how many deals then have each grade.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tqdm import tqdm

from games.deals.certify import can_be_won
from games.deals.grading import LIMITS, ORDERS, Grade, Limits, Measures, wins
from games.rules import CARDS, RULE_SETS, Deck, RuleSet

DEALS, SEED = 2000, 2000


@dataclass(frozen=True)
class Distribution:
    """The players' wins on each deal."""

    measured: list[Measures]

    @property
    def careless(self) -> list[int]:
        return sorted(measures.careless_wins for measures in self.measured)

    @property
    def careful(self) -> list[int]:
        return sorted(measures.careful_wins for measures in self.measured)

    @property
    def thirds(self) -> Limits:
        """The limits with which a third of the deals is hard and, of all, a third or a little more is easy."""
        count = len(self.measured)
        hard = max(1, self.careful[count // 3])
        open_to_easy = sorted(each.careless_wins for each in self.measured if each.careful_wins >= hard)
        easy = open_to_easy[max(0, len(open_to_easy) - count // 3)] if open_to_easy else ORDERS
        return Limits(careless=max(1, easy), careful=hard)

    def shares(self, slug: str) -> dict[Grade, float]:
        """Return the per cent of each grade by the limits in use."""
        grades = Counter(measures.grade(slug) for measures in self.measured)
        return {grade: 100 * grades[grade] / len(self.measured) for grade in Grade}


def distribution(rules: RuleSet, deals: int, *, show: bool = False) -> Distribution:
    """Measure so many winnable deals, the same ones every time."""
    random = Random(SEED)
    measured: list[Measures] = []
    with tqdm(total=deals, desc=rules.slug, disable=not show) as progress:
        while len(measured) < deals:
            deck = Deck(tuple(random.sample(CARDS[: rules.deck_size], rules.deck_size)))
            if can_be_won(deck, rules):
                measured.append(Measures(*wins(deck, rules), None))
                progress.update()
    return Distribution(measured)


def deciles(values: Sequence[int]) -> str:
    return " ".join(str(values[min(len(values) - 1, len(values) * tenth // 10)]) for tenth in range(11))


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("rules", nargs="*", default=list(LIMITS))
    parser.add_argument("--deals", type=int, default=DEALS)
    asked = parser.parse_args()
    for slug in asked.rules:
        found = distribution(RULE_SETS[slug], asked.deals, show=True)
        thirds, shares = found.thirds, found.shares(slug)
        cells = [slug, deciles(found.careless), deciles(found.careful), f"{thirds.careless}, {thirds.careful}"]
        print("| " + " | ".join([*cells, " / ".join(f"{shares[grade]:.0f}" for grade in Grade)]) + " |", flush=True)


if __name__ == "__main__":
    main()
