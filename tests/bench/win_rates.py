"""The table of the family in the documents, its picture, and published win rates beside ours.

`python -m tests.bench.win_rates` prints the table, draws the picture, and counts the published rows again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from pathlib import Path

from tqdm import trange

from games.rule_sets.counting import count, judge, random_deal
from games.rule_sets.win_rates import Count, win_rate
from games.rules import RULE_SETS, RuleSet

DEALS = 20_000
PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "family.svg"
# Masten, solitairewinrates.com, 100,000,000 deals each, per cent.
PUBLISHED: list[tuple[RuleSet, float]] = [
    (RULE_SETS["dark-pyramid"], 9.019),
    (replace(RULE_SETS["dark-pyramid"], slug="dark-pyramid + overlap", overlap=True), 22.773),
    (RULE_SETS["classic"], 6.796),
    (RULE_SETS["classic-overlap"], 15.916),
    (RULE_SETS["standard"], 66.865),
    (RULE_SETS["covered-pairs"], 83.152),
]


def counted_again(rules: RuleSet, deals: int, *, show: bool = False) -> Count:
    """Count the first deals by rules that need not have a name."""
    numbers = trange(1, deals + 1, desc=rules.slug, disable=not show)
    return count(judge(rules, number, random_deal(number, rules), None) for number in numbers)


def standard_errors(counted: Count, published: float) -> float:
    """Return how far a count lies from a published percentage, in standard errors of so many deals."""
    rate = 100 * counted.won / counted.deals
    return (rate - published) / sqrt(published * (100 - published) / counted.deals)


def family() -> list[tuple[str, Count]]:
    """Return the counts of all rule sets, those that are won most often first."""
    return sorted(((rules.slug, win_rate(rules)) for rules in RULE_SETS.values()), key=lambda row: -row[1].interval.low)


def rows() -> Iterator[str]:
    """Yield the lines of the table in the documents."""
    published = {rules.slug: f"{rate:.3f}%" for rules, rate in PUBLISHED}
    for slug, counted in family():
        low, high = counted.interval
        figures = f"{low:.2f} to {high:.2f}% | {counted.deals:,} | {counted.undecided:,} | {published.get(slug, '')}"
        yield f"| `{slug}` | {figures.rstrip()} |".replace("|  |", "| |")


def drawn() -> str:
    """Return the picture: a bar for each rule set up to the lower end, and what is not known after it."""
    lines = family()
    height = 24 * len(lines) + 40
    bars = [
        f'<text class="t" x="190" y="{y + 13}" text-anchor="end">{slug}</text>'
        f'<rect class="won" x="200" y="{y}" width="{6 * low:.1f}" height="16"/>'
        f'<rect class="open" x="{200 + 6 * low:.1f}" y="{y}" width="{max(6 * (high - low), 1):.1f}" height="16"/>'
        f'<text class="s" x="{208 + 6 * high:.1f}" y="{y + 13}">{low:.1f} to {high:.1f}%</text>'
        for y, (slug, counted) in zip(range(16, height, 24), lines, strict=False)
        for low, high in (counted.interval,)
    ]
    return "\n".join((*_BEFORE_BARS.format(height=height, words=_in_words(lines)).splitlines(), *bars, "</svg>", ""))


def _in_words(lines: list[tuple[str, Count]]) -> str:
    (most, _), (least, _) = lines[0], lines[-1]
    return f"A bar for each of {len(lines)} rule sets, from {most}, which is won most often, to {least}."


_BEFORE_BARS = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 940 {height}" role="img" aria-labelledby="t d" \
font-family="system-ui, sans-serif" font-size="13">
<title id="t">The share of random deals that can be won</title>
<desc id="d">{words}</desc>
<style>
 .b{{fill:#f6efe2}}.t{{fill:#251e16}}.s{{fill:#665947;font-size:12px}}.won{{fill:#1d4a94}}.open{{fill:#b7862c}}
 @media (prefers-color-scheme: dark){{
  .b{{fill:#10131c}}.t{{fill:#efe8db}}.s{{fill:#aaa597}}.won{{fill:#9cc0ff}}.open{{fill:#e8b64c}}
 }}
</style>
<rect class="b" width="940" height="{height}"/>"""


def main(deals: int) -> None:
    print(*rows(), sep="\n")
    PICTURE.write_text(drawn(), encoding="ascii")
    for rules, published in PUBLISHED:
        counted = counted_again(rules, deals, show=True)
        low, high = counted.interval
        away = standard_errors(counted, published)
        print(f"{rules.slug:24} published {published:.3f}  here {low:.2f} to {high:.2f}  {away:+.2f} standard errors")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else DEALS)
