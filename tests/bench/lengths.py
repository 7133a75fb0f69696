"""The table of shortest wins in the documents, and its picture.

`python -m tests.bench.lengths` prints the table and draws the picture of what `manage.py rates --shortest` counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from games.rule_sets.lengths import Lengths, lengths

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "lengths.svg"
SHARES = (0.0, 0.1, 0.5, 0.9, 1.0)
_LEFT, _STEP, _ROW, _HIGH = 190, 14, 34, 28


def by_median() -> list[tuple[str, Lengths]]:
    """Return what was counted of each rule set, the shortest wins first."""
    return sorted(lengths().items(), key=lambda row: [row[1].quantile(share) for share in (0.5, 0.1, 0.9)])


def rows() -> Iterator[str]:
    """Yield the lines of the table in the documents."""
    for slug, counted in by_median():
        least, tenth, median, ninth, most = (counted.quantile(share) for share in SHARES)
        figures = f"{least} | {tenth} | **{median}** | {ninth} | {most} | {counted.won:,} of {counted.deals:,}"
        yield f"| `{slug}` | {figures} | {counted.ms:.1f} |"


def drawn() -> str:
    """Return the picture: for each rule set a bar for each length, as high as the share of its wins."""
    lines = by_median()
    spans = [length for _, counted in lines for length in counted.wins]
    least, most = min(spans), max(spans)
    height, width = _ROW * len(lines) + 40, _LEFT + _STEP * (most - least + 2)
    marks = [
        f'<text class="s" x="{_LEFT + _STEP * place + 6}" y="{height - 10}" text-anchor="middle">{least + place}</text>'
        for place in range(-least % 5, most - least + 1, 5)
    ]
    bars = [line for number, (slug, counted) in enumerate(lines) for line in _bars(number, slug, counted, least)]
    return "\n".join((_BEFORE_BARS.format(width=width, height=height, count=len(lines)), *bars, *marks, "</svg>", ""))


def _bars(number: int, slug: str, counted: Lengths, least: int) -> Iterator[str]:
    """Yield the name of a rule set and its bars; the highest bar of each has the same height."""
    floor, highest, median = _ROW * (number + 1) + 6, max(counted.wins.values()), counted.quantile(0.5)
    yield f'<text class="t" x="{_LEFT - 10}" y="{floor - 4}" text-anchor="end">{slug}</text>'
    for length, wins in counted.wins.items():
        high, kind = max(_HIGH * wins / highest, 0.5), "median" if length == median else "bar"
        x = _LEFT + _STEP * (length - least)
        yield f'<rect class="{kind}" x="{x}" y="{floor - high:.1f}" width="{_STEP - 2}" height="{high:.1f}"/>'


_BEFORE_BARS = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="t d" \
font-family="system-ui, sans-serif" font-size="13">
<title id="t">How many actions the shortest wins take</title>
<desc id="d">A row of bars for each of {count} rule sets: how many of its shortest wins have each length.</desc>
<style>
 .b{{fill:#f6efe2}}.t{{fill:#251e16}}.s{{fill:#665947;font-size:12px}}.bar{{fill:#1d4a94}}.median{{fill:#b7862c}}
 @media (prefers-color-scheme: dark){{
  .b{{fill:#10131c}}.t{{fill:#efe8db}}.s{{fill:#aaa597}}.bar{{fill:#9cc0ff}}.median{{fill:#e8b64c}}
 }}
</style>
<rect class="b" width="{width}" height="{height}"/>"""


if __name__ == "__main__":
    print(*rows(), sep="\n")
    PICTURE.write_text(drawn(), encoding="ascii")
