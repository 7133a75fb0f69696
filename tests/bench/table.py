"""Lines of a table of measurements."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table; `figure` is written with three significant digits."""

    what: str
    figure: float
    unit: str


def written(figure: float) -> str:
    """Return a figure with three significant digits, thousands apart."""
    return f"{float(f'{figure:.3g}'):,.10g}"
