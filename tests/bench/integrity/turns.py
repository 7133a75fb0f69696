"""Simulate pairs that take turns among people with habits, and count who is found.

python -m tests.bench.integrity.turns [RUNS]
"""

from __future__ import annotations

import sys
from random import Random

from leaderboards.detectors.turns import DAY_MS, Pairs, Visit

MONDAY = 1_772_409_600_000  # 2026-03-02
PEOPLE, PLANTED = 40, 2
HOUR_MS = 3_600_000
MINUTES_LATER = (3, 54)


def _visit(account: str, day: int, hour: float, *, is_won: bool) -> Visit:
    at = MONDAY + day * DAY_MS + round(hour * HOUR_MS)
    start, end = (at, at + 300_000) if is_won else (at - 60_000, at)
    return Visit(f"{account}-{day}", account, str(day), start, end, is_won)


def _visits(days: int, dice: Random) -> list[Visit]:
    """Return the visits of people, each with an hour that is liked, and of pairs that take turns."""
    visits = []
    for person in range(PEOPLE):
        usual, spread = dice.uniform(4, 18), dice.uniform(0.5, 4)
        for day in range(days):
            hour = min(22.9, max(0.1, dice.gauss(usual, spread)))
            visits.append(_visit(f"honest {person}", day, hour, is_won=person % 2 == 0))
    for pair in range(PLANTED):
        usual = dice.uniform(4, 18)
        for day in range(days):
            hour = min(21.9, max(0.1, dice.gauss(usual, 2.5)))
            later = hour + dice.uniform(*MINUTES_LATER) / 60
            visits.append(_visit(f"scout {pair}", day, hour, is_won=False))
            visits.append(_visit(f"mallory {pair}", day, later, is_won=True))
    return sorted(visits, key=lambda visit: visit.ended_ms)


def _found(days: int, dice: Random) -> set[str]:
    pairs = Pairs()
    for visit in _visits(days, dice):
        pairs.add(visit)
    return {account for account, _ in pairs.findings()}


if __name__ == "__main__":
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for days in (7, 10, 14, 20):
        found = [_found(days, Random(f"turns/{days}/{run}")) for run in range(runs)]
        honest = sum(account.startswith("honest") for one in found for account in one)
        cheats = sum(account.startswith("mallory") for one in found for account in one)
        print(
            f"{days} days: {cheats / (PLANTED * runs):.0%} of the cheats, {honest} of {PEOPLE * runs} honest accounts"
        )
