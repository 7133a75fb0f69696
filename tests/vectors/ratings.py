"""Strengths of racers before and after a race."""

from __future__ import annotations

import random
from typing import Any

from openskill.models import BradleyTerryFull

from games.races.strength import NEWCOMER, Strength, after_race

DIGITS = 6
OLD = [Strength(1684.0, 190.0, 40), Strength(1310.5, 260.25, 12), Strength(1875.25, 151.5, 90)]


def rated(before: list[Strength], places: list[int]) -> dict[str, Any]:
    return {"before": _plain(before), "places": places, "after": _plain(after_race(before, places))}


def vectors() -> dict[str, list[dict[str, Any]]]:
    chance = random.Random("ratings")
    crowd = [Strength(1200.0 + 17 * number, 120.0 + 7 * number, 20) for number in range(50)]
    order = chance.sample(range(1, 51), 50)
    field = [*OLD, NEWCOMER]
    valid = {
        "four newcomers": rated([NEWCOMER] * 4, [1, 2, 3, 4]),
        "players of different strengths": rated(field, [3, 1, 4, 2]),
        "the expected order": rated(field, [2, 4, 1, 3]),
        "a tie in the middle": rated(field, [1, 2, 2, 4]),
        "everyone equal": rated(field, [1, 1, 1, 1]),
        "a race of fifty": rated(crowd, order),
    }
    right = valid["players of different strengths"]
    refused = {
        "the places of another race": {**right, "after": valid["the expected order"]["after"]},
        "nothing was changed": {**right, "after": right["before"]},
        "all pairs summed up": {**right, "after": _summed(field, [3, 1, 4, 2])},
        "a tie taken for an order": {**valid["a tie in the middle"], "after": rated(field, [1, 2, 3, 4])["after"]},
        "one mean a hundredth higher": {**right, "after": [_higher(right["after"][0]), *right["after"][1:]]},
    }
    return {
        "valid": [{"name": name, **vector} for name, vector in valid.items()],
        "refused": [{"name": name, **vector} for name, vector in refused.items()],
    }


def _plain(strengths: list[Strength]) -> list[list[float]]:
    return [[round(each.mean, DIGITS), round(each.deviation, DIGITS)] for each in strengths]


def _higher(strength: list[float]) -> list[float]:
    return [strength[0] + 0.01, strength[1]]


def _summed(before: list[Strength], places: list[int]) -> list[list[float]]:
    mean, deviation, _ = NEWCOMER
    model = BradleyTerryFull(mean, deviation, beta=deviation / 2, tau=deviation / 100)
    teams = [[model.rating(each.mean, each.deviation)] for each in before]
    return [
        [round(one.mu, DIGITS), round(one.sigma, DIGITS)]
        for [one] in model.rate(teams, ranks=[float(place) for place in places])
    ]
