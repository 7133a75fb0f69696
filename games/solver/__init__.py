"""The exact solver: the fewest actions from a position to the win, or a proof that there is none."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.solver.solution import (
        NODE_LIMIT,
        KnownPositions,
        Solution,
        Status,
        VerdictsAfter,
        distances,
        find_win,
        is_winnable,
        solve,
    )

__all__ = [
    "NODE_LIMIT",
    "KnownPositions",
    "Solution",
    "Status",
    "VerdictsAfter",
    "distances",
    "find_win",
    "is_winnable",
    "solve",
]


def __getattr__(name: str) -> Any:
    # Late, so that `games.solver.verdict` can be used without loading numba.
    if name in __all__:
        return getattr(import_module("games.solver.solution"), name)
    raise AttributeError(name)
