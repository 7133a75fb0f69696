"""The weighed moves of a game, as they are kept and shown; `hindsight` weighs them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WeighedMove:
    """A legal move and the actions that it wastes: on average over orders of the unseen cards, and in truth.

    None where the win is lost by it, or where that could not be decided.
    """

    move: str
    seen: float | None
    truth: float | None
    is_played: bool


@dataclass(frozen=True, slots=True)
class WeighedStep:
    """The fewest actions to the win before a step, on average and in truth, and its legal moves, the best first."""

    seen: float | None
    truth: float | None
    moves: tuple[WeighedMove, ...]
