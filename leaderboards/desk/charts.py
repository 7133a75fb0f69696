"""Charts as paths of SVG: numbers in, texts out. Pure.

Paths lie in a frame that is stretched (`preserveAspectRatio="none"`), texts and cursors beside it at percentages.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log10
from statistics import quantiles

STRIDE = 10  # units of the frame for one action
FEWEST_IN_COHORT = 30


@dataclass(frozen=True, slots=True)
class Scale:
    """The vertical scale of a chart: `low` at the bottom, `high` at the top, logarithmic or linear."""

    low: float
    high: float
    height: int
    is_log: bool = False

    def y(self, value: float) -> float:
        """Return the distance of a value from the top, clipped to the frame."""
        low, high, own = (self._on(number) for number in (self.low, self.high, value))
        share = (own - low) / (high - low) if high > low else 0.5
        return round(self.height * (1 - min(1.0, max(0.0, share))), 1)

    def _on(self, value: float) -> float:
        return log10(max(value, 1e-9)) if self.is_log else value


def x_of(step: int) -> int:
    """Return where an action, counted from 0, lies in the frame."""
    return STRIDE * step + STRIDE // 2


def percent(step: int, steps: int) -> str:
    """Return where an action lies, in percent of the width."""
    return f"{100 * x_of(step) / (STRIDE * max(1, steps)):.2f}%"


def line(values: Sequence[float | None], scale: Scale) -> str:
    """Return a line through values, broken where there is none."""
    parts, is_on = [], False
    for step, value in enumerate(values):
        if value is not None:
            parts.append(f"{'L' if is_on else 'M'}{x_of(step)} {scale.y(value)}")
        is_on = value is not None
    return "".join(parts)


def stairs(values: Sequence[float], scale: Scale) -> str:
    """Return a line that stays level until a value changes."""
    if not values:
        return ""
    steps = (f"H{STRIDE * step}V{scale.y(value)}" for step, value in enumerate(values) if step)
    return f"M0 {scale.y(values[0])}{''.join(steps)}H{STRIDE * len(values)}"


def dots(values: Iterable[tuple[int, float]], scale: Scale) -> str:
    """Return a dot for each action with its value: strokes without length and with round ends."""
    return "".join(f"M{x_of(step)} {scale.y(value)}h0" for step, value in values)


def band(lows: Sequence[float | None], highs: Sequence[float | None], scale: Scale) -> str:
    """Return the area between two lines; actions where one of them is missing are left out."""
    both = [
        (step, low, high)
        for step, (low, high) in enumerate(zip(lows, highs, strict=True))
        if low is not None and high is not None
    ]
    if not both:
        return ""
    there = [f"{x_of(step)} {scale.y(low)}" for step, low, _ in both]
    back = [f"{x_of(step)} {scale.y(high)}" for step, _, high in reversed(both)]
    return f"M{'L'.join(there + back)}z"


@dataclass(frozen=True, slots=True)
class Cohort:
    """Other players' values for the same action: the middle 80% and the median; None if too few got there."""

    low: tuple[float | None, ...]
    middle: tuple[float | None, ...]
    high: tuple[float | None, ...]


def cohort(gaps: Sequence[Sequence[float]], steps: int) -> Cohort:
    """Return the band of other games' gaps, action by action."""
    columns = [[game[step] for game in gaps if step < len(game)] for step in range(steps)]
    cuts = [quantiles(own, n=10) if len(own) >= FEWEST_IN_COHORT else None for own in columns]
    parts = ((cut[0], cut[4], cut[8]) if cut else (None, None, None) for cut in cuts)
    low, middle, high = zip(*parts, strict=True) if columns else ((), (), ())
    return Cohort(low, middle, high)


def ticks(steps: int) -> list[int]:
    """Return about eight actions, counted from 1, to be named below the charts, the first and the last among them."""
    if steps < 2:
        return list(range(1, steps + 1))
    stride = max(1, round(steps / 8))
    inner = [step for step in range(1 + stride, steps, stride) if steps - step > stride / 2]
    return [1, *inner, steps]
