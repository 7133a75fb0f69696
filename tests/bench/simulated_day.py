"""Simulate a day of many players on some nodes: python -m tests.bench.simulated_day [--help]

One node is simulated, with its share of the players, message by message: a single server that takes them in their
order, as a process with one interpreter lock does. The others are like it. Costs are the measured means of
docs/speed-measured.md; each message takes an exponentially distributed time around its mean, longer than what was
measured. Arrivals are a rush at midnight (UTC), when the deal changes, and a wave over the day.
"""

from __future__ import annotations

from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, ArgumentTypeError, Namespace
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import chain
from math import pi
from typing import NamedTuple

import numpy as np

from tests.bench.table import Row, written

DAY, HOUR, MINUTE = 86_400, 3_600, 60
EVENING = 19 * HOUR
BLOCK = 1 << 16
SOCKET_BYTES = 19_500
DATABASE_SECONDS_PER_MOVE = 25e-6
SEALED_BYTES, WITH_ROWS_BYTES, PLACES_BYTES = 716, 10_600, 6_000


class Step(NamedTuple):
    """A message that a player sends: its cost in seconds of the node, and the time until the next one, on average."""

    name: str
    cost: float
    pause: float


class Waits(NamedTuple):
    """The course of a simulation: how long messages of each step waited, and by minute what was waiting and done.

    `seconds` and `messages` are of what arrived in a minute, `busy` is the time it took, `waited` the sum of waits,
    `queued` the longest queue, and `playing` the most players.
    """

    arrived: int
    ended: int
    by_step: list[array[float]]
    messages: array[float]
    busy: array[float]
    squares: array[float]
    waited: array[float]
    queued: array[float]
    playing: array[float]


class Figures(NamedTuple):
    """The minute with the most work, as the simulation and as queueing theory have it."""

    minute: int
    load: float
    wait: float
    predicted: float


def simulate(arrivals: Sequence[float], steps: Sequence[Step], dice: np.random.Generator) -> Waits:
    """Have players who arrive at some times (seconds, ascending) do all steps at one node, until the last has ended."""
    draw = _exponentials(dice).__next__
    waits = Waits(0, 0, [array("d") for _ in steps], *(array("d") for _ in Waits._fields[3:]))
    coming: list[tuple[float, int]] = []
    leaving: deque[float] = deque()  # when the messages that are waiting or worked on will have been answered
    next_arrival, free, playing, ended = iter([*arrivals, float("inf")]), 0.0, 0, 0
    arrival = next(next_arrival)
    while coming or arrival != float("inf"):
        if not coming or arrival <= coming[0][0]:
            now, step, arrival = arrival, 0, next(next_arrival)
            playing += 1
        else:
            now, step = heappop(coming)
        while leaving and leaving[0] <= now:
            leaving.popleft()
        took = steps[step].cost * draw()
        wait = max(0.0, free - now)
        free = now + wait + took
        leaving.append(free)
        _count(waits, int(now // MINUTE), wait, took, (len(leaving), playing))
        waits.by_step[step].append(wait)
        if step + 1 < len(steps):
            heappush(coming, (free + steps[step].pause * draw(), step + 1))
        else:
            playing -= 1
            ended += 1
    return waits._replace(arrived=len(arrivals), ended=ended)


def _count(waits: Waits, minute: int, wait: float, took: float, now: tuple[int, int]) -> None:
    while len(waits.messages) <= minute:
        for by_minute in waits[3:]:
            by_minute.append(0)
    waits.messages[minute] += 1
    waits.busy[minute] += took
    waits.squares[minute] += took * took
    waits.waited[minute] += wait
    queued, playing = now
    waits.queued[minute] = max(waits.queued[minute], queued)
    waits.playing[minute] = max(waits.playing[minute], playing)


def _exponentials(dice: np.random.Generator) -> Iterator[float]:
    """Yield exponentially distributed numbers with the mean 1, without end."""
    return chain.from_iterable(dice.standard_exponential(BLOCK).tolist() for _ in iter(int, 1))


def arrivals_of(asked: Namespace, players: int, dice: np.random.Generator) -> list[float]:
    """Return when so many players come, in seconds since midnight."""
    rush = int(players * asked.rush)
    after_midnight = dice.exponential(asked.rush_minutes * MINUTE, rush) % DAY
    clock = np.arange(DAY)
    wave = 1 + asked.wave * np.cos(2 * pi * (clock - EVENING) / DAY)
    spread = dice.choice(clock, players - rush, p=wave / wave.sum()) + dice.random(players - rush)
    times: list[float] = np.sort(np.concatenate([after_midnight, spread])).tolist()
    return times


def steps_of(asked: Namespace) -> list[Step]:
    """Return what a player does in a day; of those who are not new an account costs nothing."""
    arrive = (asked.account * asked.new + asked.look) / 1e3
    moves = [Step("move", asked.move / 1e3, asked.think)] * asked.moves
    return [
        Step("come", arrive, asked.think),
        Step("start", asked.start / 1e3, asked.think),
        *moves,
        Step("end", (asked.end + asked.look) / 1e3, 0),
    ]


def busiest(waits: Waits) -> Figures:
    """Compare the busiest minute with the formula of Pollaczek and Khinchine for a single server at that load."""
    minute = max(range(len(waits.busy)), key=waits.busy.__getitem__)
    messages, load = waits.messages[minute], waits.busy[minute] / MINUTE
    return Figures(minute, load, waits.waited[minute] / messages, mean_wait(load, waits.squares[minute]))


def mean_wait(load: float, squares: float) -> float:
    """Return the mean wait at a single server in a minute, after Pollaczek and Khinchine; infinite from load 1 on.

    `squares` is the sum of the squared times that the messages take: rate * E[S^2] / 2 / (1 - load).
    """
    return squares / MINUTE / 2 / (1 - load) if load < 1 else float("inf")


def rows(asked: Namespace, nodes: int) -> Iterator[Row]:
    """Simulate a day, and yield what an operator wants to know of it."""
    dice = np.random.default_rng(asked.seed)
    steps = steps_of(asked)
    waits = simulate(arrivals_of(asked, asked.players // nodes, dice), steps, dice)
    assert waits.arrived == waits.ended
    peak = busiest(waits)
    yield Row("players in the day, all nodes", waits.ended * nodes, "")
    yield Row("busiest minute, after midnight", peak.minute, "")
    yield Row("    messages a second, all nodes", waits.messages[peak.minute] * nodes / MINUTE, "/s")
    yield Row("    load of a node", 100 * peak.load, "%")
    yield Row("    mean wait: simulated", 1e3 * peak.wait, "ms")
    yield Row("    mean wait: Pollaczek and Khinchine", 1e3 * peak.predicted, "ms")
    yield Row("mean load of a node over the day", 100 * sum(waits.busy) / DAY, "%")
    yield Row("longest queue of a node", max(waits.queued), "")
    for name, of_step in (("start", waits.by_step[1]), ("move", np.concatenate(waits.by_step[2:-1] or [array("d")]))):
        for what, share in (("p99", 0.99), ("longest", 1.0)):
            yield Row(f"a {name} waits: {what}", 1e3 * float(np.quantile(of_step, share)) if len(of_step) else 0, "ms")
    yield from _resources(asked, nodes, waits)


def _resources(asked: Namespace, nodes: int, waits: Waits) -> Iterator[Row]:
    most = max(waits.playing)
    yield Row("most who play at once, all nodes", most * nodes, "")
    yield Row("    sockets' memory of a node", most * SOCKET_BYTES / 1e6, "MB")
    moves = asked.players * asked.moves
    peak = max(waits.messages) * nodes / MINUTE
    yield Row("PostgreSQL: cores for moves in the busiest minute", peak * DATABASE_SECONDS_PER_MOVE, "")
    yield Row("PostgreSQL: rows a day, before they are sealed", moves, "")
    yield Row("PostgreSQL: what games of a day take, sealed", asked.players * SEALED_BYTES / 1e9, "GB")
    yield Row("PostgreSQL: what their places on tables take", asked.players * PLACES_BYTES / 1e9, "GB")
    unsealed = max(waits.messages) * nodes / max(1, asked.moves) * asked.seal_minutes * WITH_ROWS_BYTES
    yield Row("PostgreSQL: rows of games not yet sealed, at most", unsealed / 1e9, "GB")
    yield Row("workers: cores for the detectors", asked.players * asked.examine / DAY, "")


def parser() -> ArgumentParser:
    """Return what can be asked for, with this project's measured costs as defaults."""
    asked = ArgumentParser("simulated_day", description=__doc__, formatter_class=ArgumentDefaultsHelpFormatter)
    add = asked.add_argument
    add("--players", type=_number(int, 1), default=1_000_000, help="of the day")
    add("--nodes", type=_number(int, 1), nargs="+", default=[4, 6, 8], help="processes; one simulation for each")
    add("--rush", type=_number(float, 0, 1), default=0.2, help="the share that comes for the new deal at midnight")
    add("--rush-minutes", type=_number(float, 0.1), default=10, help="after which these come, on average")
    add("--wave", type=_number(float, 0, 1), default=0.6, help="how much more than the mean come at 19:00 UTC")
    add("--moves", type=_number(int, 0), default=60, help="of a game")
    add("--think", type=_number(float, 0), default=5, help="seconds before a message, on average")
    add("--new", type=_number(float, 0, 1), default=0.2, help="the share that needs an account")
    for name, cost in {"account": 2.3, "start": 1.5, "move": 0.11, "end": 1.5, "look": 1.9}.items():
        add(f"--{name}", type=_number(float, 0), default=cost, help="milliseconds of a node's processor")
    add("--examine", type=_number(float, 0), default=0.87, help="seconds of a worker's processor for each attempt")
    add("--seal-minutes", type=_number(float, 0), default=10, help="games/play/sealed_logs.py: SEALED_AFTER")
    add("--seed", type=int, default=1, help="the same one gives the same day")
    return asked


def _number(kind: type[int] | type[float], least: float, most: float = float("inf")) -> Callable[[str], float]:
    def number(text: str) -> float:
        try:
            value = kind(text)
        except ValueError as error:
            raise ArgumentTypeError(f"{text!r} is not a number") from error
        if not least <= value <= most:
            raise ArgumentTypeError(f"{text} is not from {least:g} to {most:g}")
        return value

    return number


def main(arguments: Sequence[str] | None = None) -> None:
    asked = parser().parse_args(arguments)
    for nodes in asked.nodes:
        print(f"{asked.players:,} players on {nodes} nodes")
        for row in rows(asked, nodes):
            print(f"  {row.what:<56} {written(row.figure):>14} {row.unit}", flush=True)


if __name__ == "__main__":
    main()
