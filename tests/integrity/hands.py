"""Times of the actions of a play, for simulated people, bots and people with bots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, log2
from random import Random

from leaderboards.detectors.games import JudgedStep


@dataclass(frozen=True, slots=True)
class Hand:
    """The timing of somebody's actions; milliseconds, and factors for them.

    People take longer the more there is to choose and after a new card, have a tempo that drifts, take breaks, and
    play the end they have planned without thinking.
    """

    base_ms: float
    spread: float  # of the logarithm of a gap
    choice: float = 0.0  # longer for each doubling of the choices
    news: float = 0.0  # longer after a new card
    drift: float = 0.0  # how much of the tempo is that of the action before
    breaks: float = 0.0
    planned: int = 0  # actions at the end that are played without thinking
    least_ms: int = 60
    clock: float = 1.0  # speed of the client's clock


def person(dice: Random) -> Hand:
    """Return somebody's hand, slow or quick."""
    return Hand(
        base_ms=dice.uniform(450, 1_300),
        spread=dice.uniform(0.35, 0.7),
        choice=dice.uniform(0.15, 0.6),
        news=dice.uniform(0.1, 0.5),
        drift=dice.uniform(0.2, 0.6),
        breaks=dice.uniform(0.002, 0.02),
        planned=dice.randint(0, 12),
        least_ms=dice.randint(140, 260),
        clock=1 + dice.gauss(0, 2e-5),
    )


BOT = Hand(base_ms=110, spread=0.05, least_ms=40)
STEADY_BOT = Hand(base_ms=900, spread=0.12)
SLOW_CLOCK = 0.9


def times(steps: tuple[JudgedStep, ...], hand: Hand, dice: Random) -> Iterator[int]:
    """Return when each step is taken, in milliseconds since the start, as the server sees it."""
    now, tempo = dice.uniform(2, 15) * hand.base_ms, 0.0
    for number, step in enumerate(steps):
        tempo = hand.drift * tempo + (1 - hand.drift**2) ** 0.5 * dice.gauss(0, hand.spread)
        is_planned = number >= len(steps) - hand.planned
        slower = 0.0 if is_planned else _thinking(step, steps[number - 1] if number else None, hand)
        gap = hand.base_ms * exp(tempo + slower) * (0.5 if is_planned else 1)
        if dice.random() < hand.breaks:
            gap += dice.uniform(8_000, 90_000)
        now += max(hand.least_ms, gap) + dice.uniform(0, 30)  # the way to the server
        yield int(now)


def _thinking(step: JudgedStep, before: JudgedStep | None, hand: Hand) -> float:
    news = hand.news if before and before.turned else 0.0
    return hand.choice * log2(len(step.before.legal_moves)) + news


def client_times(server: list[int], hand: Hand, dice: Random) -> tuple[int, ...]:
    """Return what the client's clock says at each action."""
    return tuple(int(at * hand.clock + dice.uniform(0, 40)) for at in server)
