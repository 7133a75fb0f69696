"""All parameters of the detectors that were chosen rather than derived, with a version that each finding keeps."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.rules import pace

GAP_BINS = (0, 1, 2, 4, 7, 12)  # the last gap of each bin but the last: more than 12, or lost


@dataclass(frozen=True, slots=True)
class NearPar:
    """Shares of games in each bin of moves above par.

    `floor` is the largest share that any near-optimal honest player has; `alternatives` are those of cheats.
    """

    floor: tuple[float, ...]
    alternatives: tuple[tuple[float, ...], ...]


STANDARD = NearPar(
    floor=(0.40, 0.16, 0.18, 0.13, 0.16, 0.12, 0.11),
    alternatives=(
        (0.94, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01),  # perfect
        (0.51, 0.15, 0.10, 0.16, 0.06, 0.01, 0.003),  # one deliberate slip in ten choices
        (0.56, 0.24, 0.16, 0.01, 0.01, 0.01, 0.01),  # stealth
    ),
)


@dataclass(frozen=True, slots=True)
class Slip:
    """The factor by which a cheat makes a wasteful removal, or draw, less often than one that wastes nothing."""

    removal: float
    draw: float


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The thresholds of all detectors. Change a value only together with the version."""

    version: str = "5"
    # Fortunes: who is named follows from the number of accounts that were judged, see `naming`.
    support: float = 10.0  # below it the foresight bet supports nothing, and near par stands alone
    # Foresight bet.
    foresight_rules: tuple[str, ...] = ("standard", "covered-pairs")
    slips: tuple[Slip, ...] = (  # one stake each
        Slip(0.05, 0.02),  # hardly ever
        Slip(0.2, 0.02),  # a removal now and then
        Slip(0.5, 0.05),  # a removal often
        Slip(0.3, 0.3),  # anything now and then, or not all of the stock known
        Slip(0.6, 0.6),  # anything often
    )
    kept_back: float = 0.02  # the part of the fortune that is never bet
    looking_back: int = 6  # new cards
    first_bet: int = 12  # stock cards seen before it: what is bet before pays little and costs most of the time
    # Bet on an order: the shares of the hidden cards seen at which it is made, and the most moves that count as wasted.
    bet_on_order_at: tuple[float, ...] = (0.35, 0.5, 0.65)
    most_wasted: int = 3
    # Near par: only rule sets that it was calibrated for.
    near_par: Mapping[str, NearPar] = field(default_factory=lambda: {"standard": STANDARD})
    # Copied line.
    fewest_lines: int = 30
    copied_games: int = 5
    copied_case: float = 12.0
    different_stage: float = -3.0
    # Machine timing, in milliseconds.
    burst_actions: int = pace.BURST_ACTIONS
    burst_removals: int = pace.BURST_REMOVALS
    burst_ms: int = pace.BURST_MS
    sprint_moves: int = pace.SPRINT_ACTIONS
    sprint_ms: int = pace.SPRINT_MS
    fast_games: int = 2
    longest_gap_ms: int = 8_000
    added_to_gap_ms: int = 100
    fewest_gaps: int = 30
    least_variation: float = 0.25
    regular_games: int = 3
    fewest_timed_games: int = 10
    least_slowdown: float = 0.03  # of the mean logarithm of gaps
    least_correlation: float = 0.02
    # Clock slope.
    slopes: tuple[float, float] = (0.99, 1.01)
    slope_games: int = 3
    slope_span_ms: int = 20_000
    steady_games: int = 6  # from here on it is worth watching, if the slopes are as close to each other as this
    steady_within: float = 0.02
    # Skill jump and preview move a case up the queue, no more.
    jump_games: int = 10
    jump_score: float = 5.0  # standard errors; it is looked at after every game, and play is uneven
    preview_cards: int = 3
    # Scouting: the part of the stock seen by who only looked (the last cards follow from all others), and of the goal
    # that was left; deals from which on it is worth watching.
    seen_of_stock: float = 0.75
    left_of_goal: float = 0.6
    scouted_deals: int = 3
    # Taking turns: how soon the other begins, the fewest deals, and the newest that count (each doubles the time).
    turns_ms: int = 3_600_000
    turns_deals: int = 5
    turns_newest: int = 16


THRESHOLDS = Thresholds()
SAMPLER = "2"  # of `sampled_orders`
VERSION = f"{THRESHOLDS.version}/{SAMPLER}"
"""The version to which fortunes and findings belong."""
