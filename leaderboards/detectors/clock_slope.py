"""A client's clock that runs faster or slower than the server's: a sign of a manipulated client, never a case alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from leaderboards.detectors.findings import Finding, Strength
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.thresholds import THRESHOLDS

FEWEST_READINGS = 10
KEPT_GAMES = 10
INNOCENT = (
    "A device with a bad clock, or one that slept during the game.",
    "The server was away: its clock of the game stands still meanwhile, the client's does not.",
)


@dataclass(frozen=True, slots=True)
class Clock:
    """The clocks of an account's games that ran faster or slower than the server's."""

    games: int = 0
    wrong: tuple[str, ...] = ()
    slopes: tuple[float, ...] = ()  # of these games

    def after(self, game: str, slope: float) -> Clock:
        least, most = THRESHOLDS.slopes
        if least <= slope <= most:
            return replace(self, games=self.games + 1)
        return Clock(self.games + 1, (*self.wrong, game)[-KEPT_GAMES:], (*self.slopes, slope)[-KEPT_GAMES:])

    @property
    def is_steady(self) -> bool:
        """Return whether it always runs at the same wrong speed, as neither sleep nor a lost line makes it."""
        is_often = len(self.slopes) >= THRESHOLDS.steady_games
        return is_often and max(self.slopes) - min(self.slopes) <= THRESHOLDS.steady_within


def slope(game: RankedGame) -> float | None:
    """Return the client's time per unit of the server's: the median of the slopes between distant actions.

    None if the client sent too few times, or the game was too short.
    """
    times = [
        (timed.at_ms, client)
        for timed, client in zip(game.play.actions, game.client_ms, strict=False)
        if client is not None
    ]
    if len(times) < FEWEST_READINGS:
        return None
    server, client = np.array(times, float).T
    apart = server[None, :] - server[:, None]
    distant = apart >= THRESHOLDS.slope_span_ms
    if not distant.any():
        return None
    return float(np.median((client[None, :] - client[:, None])[distant] / apart[distant]))


def finding(clock: Clock) -> Finding | None:
    """Return a finding once enough clocks of an account were wrong, worth watching if all of them by the same."""
    if len(clock.wrong) < THRESHOLDS.slope_games:
        return None
    last = clock.slopes[-1]
    steady = " Each time it was the same speed, which a device that sleeps does not have." if clock.is_steady else ""
    return Finding(
        detector="clock slope",
        strength=Strength.WATCH if clock.is_steady else Strength.SUPPORT,
        score=last,
        threshold=THRESHOLDS.slopes[last > 1],
        explanation=(
            f"In {len(clock.wrong)} of the games the client's clock ran at another speed than the server's, last at "
            f"{last:.3f} of it.{steady} Times on the tables are the server's. It opens no case alone."
        ),
        numbers={"games with a clock": clock.games, "wrong": len(clock.wrong), "last slope": last},
        innocent=INNOCENT,
        games=clock.wrong,
    )
