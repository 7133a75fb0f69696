"""Games near par: a cheap test, calibrated on the best known honest play. Alone it never suffices."""

from bisect import bisect_left

from leaderboards.detectors.findings import Finding, Strength
from leaderboards.detectors.fortunes import Fortune
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.naming import NEAR_PAR, Naming
from leaderboards.detectors.thresholds import GAP_BINS, THRESHOLDS

INNOCENT = (
    "Very good play: the best honest players end exactly at par in up to two games of five.",
    "Easy deals chosen: look whether the account skips days that turn out hard.",
    "Deals played before in another place, where nothing forbids it.",
)


def gap_bin(game: RankedGame) -> int:
    """Return the bin of a game's moves above par; the last is for many, or for no win."""
    return len(GAP_BINS) if game.gap is None else bisect_left(GAP_BINS, game.gap)


def factors(game: RankedGame) -> tuple[float, ...] | None:
    """Return the factors of a game, one for each kind of cheat: the cheat's share over the highest honest share.

    None if the rule set is not calibrated or par is unknown.
    """
    table = THRESHOLDS.near_par.get(game.rules.slug)
    if table is None or game.par is None:
        return None
    place = gap_bin(game)
    return tuple(shares[place] / table.floor[place] for shares in table.alternatives)


def finding(fortune: Fortune, bins: tuple[int, ...], listed: Naming) -> Finding:
    """Return the finding about an account that is on a list because of its distances from par; it opens no case."""
    value = fortune.value
    return Finding(
        detector=NEAR_PAR,
        strength=Strength.WATCH,
        score=value,
        threshold=listed.bar,
        explanation=(
            f"Of {fortune.games} games {bins[0]} took exactly the fewest moves possible and {bins[1] + bins[2]} one or "
            f"two more. The best honest players do this in about two games of five at most; keeping it up as here is "
            f"{value:,.0f} times likelier for somebody who knows the stock. If nobody honest is better than those: "
            f"{listed.sentence(value)}"
        ),
        numbers={"fortune": value, "games": fortune.games}
        | {f"games in bin {place}": count for place, count in enumerate(bins)},
        innocent=INNOCENT,
    )
