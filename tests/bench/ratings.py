"""Compare rating models in simulated races of players whose strength is known.

    python -m tests.bench.ratings

After 3, 10 and 40 races of everyone: the rank correlation of ratings and strengths, and the share of strengths that are
within the uncertainty that the ratings state.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import correlation
from typing import Any

from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

PLAYERS = 200
SIZES = 4, 8, 50
SHOWN = 3, 10, 40
MEAN, SPREAD = 25.0, 25 / 6
MODELS: dict[str, Callable[[], Any]] = {
    "BradleyTerryPart, all pairs": lambda: BradleyTerryPart(window_size=50),
    "BradleyTerryPart": BradleyTerryPart,
    "BradleyTerryFull": BradleyTerryFull,
    "ThurstoneMostellerPart, all pairs": lambda: ThurstoneMostellerPart(window_size=50),
    "ThurstoneMostellerPart": ThurstoneMostellerPart,
    "ThurstoneMostellerFull": ThurstoneMostellerFull,
    "PlackettLuce": PlackettLuce,
}


def main() -> None:
    for size in SIZES:
        for name in MODELS:
            print(f"{size:3} racers  {name:34}", *simulate(name, size), sep="  ", flush=True)


def simulate(name: str, size: int) -> list[str]:
    """Return, after some numbers of races, the correlation and the share of strengths within the uncertainty."""
    random, model, found = Random(1), MODELS[name](), []
    strengths = [random.gauss(MEAN, SPREAD) for _ in range(PLAYERS)]
    ratings = [model.rating() for _ in range(PLAYERS)]
    for number in range(1, max(SHOWN) + 1):
        order = random.sample(range(PLAYERS), PLAYERS)
        for first in range(0, PLAYERS, size):
            racers = order[first : first + size]
            results = [-random.gauss(strengths[racer], SPREAD) for racer in racers]
            rated = model.rate([[ratings[racer]] for racer in racers], ranks=results)
            for racer, [rating] in zip(racers, rated, strict=True):
                ratings[racer] = rating
        if number in SHOWN:
            means = [rating.mu for rating in ratings]
            within = [abs(r.mu - strength) <= 2 * r.sigma for r, strength in zip(ratings, strengths, strict=True)]
            share = 100 * sum(within) / PLAYERS
            found.append(f"{number}: {correlation(ranks(means), ranks(strengths)):.2f} {share:3.0f} %")
    return found


def ranks(values: list[float]) -> list[int]:
    """Return the place of each value among all."""
    return [sorted(values).index(value) for value in values]


if __name__ == "__main__":
    main()
