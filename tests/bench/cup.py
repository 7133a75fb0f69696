"""A cup of many entrants, in each round of which a process is killed: `make cup` (ENTRANTS=2000).

On PostgreSQL and Redis: two processes that serve, and a worker. All entrants first play the day's deal at the same
pace, and a process is killed in it too, which shows what a move takes without a cup. Then they enter the qualification,
hear of their matches on their sockets, and play until every division has its places. Who is cut off comes back to any
process that answers.
"""

from __future__ import annotations

import asyncio
import os
import signal
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import NamedTuple
from urllib.request import urlopen

from tests.bench.cup_entrants import Pace, Seen
from tests.bench.cup_groups import Order, seen_by, started
from tests.bench.table import Row, written
from tests.processes import MANAGE, PROJECT, UVICORN, free_port, kind_of_process
from tests.with_servers import wait_for

SERVING = 2
SHARE_TO_ENTER = 0.3  # of the qualification, so that all have played when it ends
DEAD_FOR_S, LOOK_S = 1.0, 0.25


class Scale(NamedTuple):
    """The entrants, the seconds of the qualification, the pace, and after how many seconds of a round a process dies.

    Processes start as they would anywhere if `is_cold`, and otherwise as forks of one that has loaded everything.
    """

    entrants: int = 2000
    qualify_s: int = 120
    pace: Pace = Pace()
    dies_after_s: float = 4.0
    is_cold: bool = True


class Process:
    """A process of the project that can be killed and started again; one with a port serves."""

    def __init__(
        self, command: list[str], environment: dict[str, str], port: int | None = None, *, is_cold: bool
    ) -> None:
        self._command, self._environment, self.port = command, environment, port
        self._kind = kind_of_process(command, is_cold=is_cold)
        self.start()

    def start(self) -> None:
        self._process = self._kind(self._command, env=self._environment, cwd=PROJECT)
        if self.port is not None:
            ready = f"http://127.0.0.1:{self.port}/health/ready"
            wait_for(self._process, lambda: urlopen(ready, timeout=30).close(), OSError)

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self, number: signal.Signals) -> None:
        self._process.send_signal(number)
        self._process.wait()


@contextmanager
def running(environment: dict[str, str], *, is_cold: bool) -> Iterator[list[Process]]:
    """Start the processes that serve, and a worker, which is the last."""
    with ExitStack() as stack:
        processes = []
        for port in [*(free_port() for _ in range(SERVING)), None]:
            command = [*MANAGE, "worker"] if port is None else [*UVICORN, str(port), "pyramid_server.asgi:application"]
            processes.append(process := Process(command, environment, port, is_cold=is_cold))
            stack.callback(process.stop, signal.SIGTERM)
        yield processes


def cup(scale: Scale) -> Iterator[Row]:
    """Play a cup on the database of this process, check what is kept, and yield what was seen.

    Raises `AssertionError` for whatever went wrong.
    """
    from tests.bench import cup_facts, rush_crowd  # noqa: PLC0415  models exist only after the setup

    rush_crowd.todays_deal()
    tokens = rush_crowd.crowd(scale.entrants, is_guest=False, is_bot=False)
    with running(rush_crowd.environment() | {"PYRAMID_CUPS": ""}, is_cold=scale.is_cold) as processes:
        cup_id, usual, seen = asyncio.run(_play(tokens, processes, scale))
    cup_facts.require_everything_once(cup_id, scale.entrants)
    cup_facts.require_all_acknowledged(usual.acknowledged | seen.acknowledged)
    yield from _figures(usual, seen, cup_facts.rounds_of_races(cup_id))


async def _play(tokens: list[str], processes: list[Process], scale: Scale) -> tuple[str, Seen, Seen]:
    """Play the day's deal and then a cup; return the cup, and what was seen in each."""
    from tests.bench import cup_facts  # noqa: PLC0415  models exist only after the setup

    order = Order(tokens, [process.port for process in processes if process.port is not None], scale.pace)
    usual, _ = await asyncio.gather(_seen(order), _kill(processes, 0, scale.dies_after_s))
    cup_id = await cup_facts.ask(lambda: cup_facts.make_cup(scale.qualify_s))
    await until(lambda: cup_facts.has_begun(cup_id, -1))
    order = order._replace(cup=cup_id, enter_within_s=scale.qualify_s * SHARE_TO_ENTER)
    killing = asyncio.create_task(
        _kill_in_each_round(lambda number: cup_facts.has_begun(cup_id, number), processes, scale.dies_after_s)
    )
    try:
        seen = await _seen(order, until(lambda: cup_facts.is_over(cup_id)))
    finally:
        killing.cancel()
    return cup_id, usual, seen


async def _seen(order: Order, is_over: Awaitable[None] | None = None) -> Seen:
    """Have an order played, to its end or until it is over, and return what was seen."""
    groups = await started(order)
    try:
        playing = asyncio.create_task(seen_by(groups))
        if is_over is not None:
            over = asyncio.ensure_future(is_over)
            await asyncio.wait([playing, over], return_when=asyncio.FIRST_COMPLETED)
            over.cancel()
            for group in groups:
                group.end()
        return await playing
    finally:
        for group in groups:
            group.kill()


async def _kill_in_each_round(has_begun: Callable[[int], bool], processes: list[Process], after_s: float) -> None:
    """Kill one process after the other, each in a round that has begun, from the qualification (-1) on."""
    for number in count(-1):
        await until(lambda number=number: has_begun(number))  # type: ignore[misc]
        await _kill(processes, number, after_s)


async def _kill(processes: list[Process], number: int, after_s: float) -> None:
    """Kill the process whose turn it is and start it again: one that serves in the first round, then the worker."""
    *serving, worker = processes
    turns = [process for one in serving for process in (one, worker)]
    process = turns[number % len(turns)]
    await asyncio.sleep(after_s)
    await asyncio.to_thread(process.stop, signal.SIGKILL)
    await asyncio.sleep(DEAD_FOR_S)
    await asyncio.to_thread(process.start)


async def until(is_true: Callable[[], bool]) -> None:
    """Wait until the database says so."""
    from tests.bench.cup_facts import ask  # noqa: PLC0415  models exist only after the setup

    while not await ask(is_true):  # noqa: ASYNC110  another process makes it true
        await asyncio.sleep(LOOK_S)


def _figures(usual: Seen, seen: Seen, rounds: dict[str, tuple[int, int]]) -> Iterator[Row]:
    """Yield what was measured. `rounds` are the division and the round of each race."""
    yield from _figures_of("without a cup", usual)
    yield from _figures_of("in the cup", seen)
    breaks = sorted(_breaks_between_rounds(seen, rounds))
    yield Row("cup: rounds after another one", len(breaks), "")
    for name, part in (("median", 0.5), ("longest", 1)):
        what = f"cup: from the last end to the cards of the last entrant in the next round: {name}"
        yield Row(what, share(breaks, part), "s")


def _figures_of(what: str, seen: Seen) -> Iterator[Row]:
    """Yield what moves took, also apart for the seconds in which anyone was coming back, and the ways back."""
    busy = {second for since, until in seen.returned for second in range(int(since), int(until) + 1)}
    apart: dict[bool, list[float]] = {True: [], False: []}
    for asked, seconds in seen.waits:
        apart[int(asked) in busy].append(seconds)
    waits = [*apart[True], *apart[False]]
    yield Row(f"cup: moves {what}", len(waits), "")
    yield Row(f"cup: a move {what}, answered: median", share(waits, 0.5) * 1e3, "ms")
    yield Row(f"cup: a move {what}, answered: p99", share(waits, 0.99) * 1e3, "ms")
    yield Row(f"cup: {what}, seconds in which people came back", len(busy), "s")
    yield Row(f"cup: a move {what}, in these: p99", share(apart[True], 0.99) * 1e3, "ms")
    yield Row(f"cup: a move {what}, in all others: p99", share(apart[False], 0.99) * 1e3, "ms")
    away = [until - since for since, until in seen.returned]
    yield Row(f"cup: {what}, moves whose connection broke before the answer", seen.cut_off, "")
    yield Row(f"cup: {what}, games that went on after their connection broke", len(away), "")
    yield Row(f"cup: {what}, until the cards were there again: median", share(away, 0.5), "s")
    yield Row(f"cup: {what}, until the cards were there again: longest", share(away, 1), "s")


def _breaks_between_rounds(seen: Seen, rounds: dict[str, tuple[int, int]]) -> Iterator[float]:
    """Yield the seconds from the last end of a division's round until all entrants of its next one had their cards."""
    ends: dict[tuple[int, int], float] = defaultdict(float)
    cards: dict[tuple[int, int], float] = defaultdict(float)
    for race, (division, number) in rounds.items():
        ends[division, number + 1] = max(ends[division, number + 1], *seen.finished[race])
        cards[division, number] = max(cards[division, number], *seen.dealt[race])
    yield from (cards[one] - ends[one] for one in cards if one in ends)


def share(waits: list[float], part: float) -> float:
    """Return the value below which a part of them is; 1 is the largest."""
    return sorted(waits)[min(int(part * len(waits)), len(waits) - 1)] if waits else 0.0


def main(entrants: int) -> None:
    import django  # noqa: PLC0415  nothing of it may be imported before the settings are known

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    for row in cup(Scale(entrants)):
        print(f"{row.what:<92} {written(row.figure):>10} {row.unit}", flush=True)
    print("every match was decided once, every entrant has a place, and every acknowledged move is kept")


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--entrants", type=int, default=Scale().entrants)
    main(parser.parse_args().entrants)
