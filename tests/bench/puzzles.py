"""Compare solve rates of simulated players with those that the ratings of players and puzzles predict.

    python -m tests.bench.puzzles

Players of different skill attempt puzzles of the file, every other one chosen in their range and the others at random.
Once ratings have settled, the predictions of an attempt are sorted into ten bins, and each is compared with the share
that was solved. The second figure of each bin is of predictions by the ratings with which puzzles begin.
"""

from __future__ import annotations

import os
from collections import defaultdict
from math import exp, sqrt
from random import Random

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
django.setup()

# ruff: noqa: E402  models need the settings
from games.puzzles.choosing import RANGE
from games.puzzles.library import find_puzzle, puzzle_ids
from games.puzzles.ratings import SEED_DEVIATION, rate
from games.puzzles.seeding import chance_of, decisions_of
from games.races.strength import NEWCOMER, Strength

PLAYERS, PUZZLES, ATTEMPTS, SETTLED = 300, 1500, 240, 120
BETA = NEWCOMER.deviation / 2
BINS = 10


def predicted(player: Strength, puzzle: Strength) -> float:
    """Return the chance that the model of the ratings gives a player."""
    scale = sqrt(player.deviation**2 + puzzle.deviation**2 + 2 * BETA**2)
    return 1 / (1 + exp((puzzle.mean - player.mean) / scale))


def main() -> None:
    random = Random(1)
    found = [find_puzzle(puzzle) for puzzle in random.sample(puzzle_ids(), PUZZLES)]
    decisions = [decisions_of(puzzle.packed) for puzzle in found]
    seeds = [Strength(float(puzzle.seed), SEED_DEVIATION, 0) for puzzle in found]
    puzzles = list(seeds)
    skills = [random.gauss(0, 1) for _ in range(PLAYERS)]
    players = [NEWCOMER] * PLAYERS
    bins: dict[tuple[str, int], list[tuple[float, bool]]] = defaultdict(list)
    for number in range(ATTEMPTS):
        for one, skill in enumerate(skills):
            at = chosen(random, players[one], puzzles) if number % 2 else random.randrange(PUZZLES)
            is_solved = random.random() < chance_of(decisions[at], skill)
            if number >= SETTLED:
                for name, strength in (("now", puzzles[at]), ("seed", seeds[at])):
                    chance = predicted(players[one], strength)
                    bins[name, int(BINS * chance)].append((chance, is_solved))
            players[one], puzzles[at] = rate(players[one], puzzles[at], is_solved=is_solved)
    for place in range(BINS):
        print(f"{place / BINS:.1f}", *(told(bins[name, place]) for name in ("now", "seed")), sep="   ")


def chosen(random: Random, player: Strength, puzzles: list[Strength]) -> int:
    """Return a puzzle in a player's range, of those that are drawn first."""
    for at in random.sample(range(len(puzzles)), 100):
        if abs(puzzles[at].mean - player.mean) <= RANGE:
            return at
    return random.randrange(len(puzzles))


def told(attempts: list[tuple[float, bool]]) -> str:
    """Return the number of attempts, the share that was predicted and the one that was solved, in percent."""
    if not attempts:
        return f"{0:6}"
    expected, solved = (100 * sum(part) / len(attempts) for part in zip(*attempts, strict=True))
    return f"{len(attempts):6} {expected:5.1f} {solved:5.1f}"


if __name__ == "__main__":
    main()
