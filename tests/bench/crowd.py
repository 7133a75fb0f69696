"""Many sockets with open games on one node, whose processes die: `make crowd` (PLAYERS=20000 MINUTES=60).

On PostgreSQL and Redis. Everybody plays the day's deal, slowly enough that the game lasts. After a while a process that
serves is killed; those who are cut off come back to any process that answers.
"""

from __future__ import annotations

import asyncio
import os
import signal
from argparse import ArgumentParser
from collections.abc import Iterator
from time import time
from typing import NamedTuple

from tests.bench.cup import DEAD_FOR_S, Process, running, share, until
from tests.bench.cup_entrants import Pace, Seen
from tests.bench.cup_groups import Order, seen_by, started
from tests.bench.endurance import own_megabytes
from tests.bench.table import Row, written


class Scale(NamedTuple):
    """The players, how many of them come in a second, their pace, and for how many seconds they are held.

    `settles_s` are the seconds after the kill in which everybody comes back and plays on.
    """

    players: int = 20_000
    come_per_second: int = 100
    pace: Pace = Pace((1000, 1000), (40.0, 80.0))
    held_s: float = 3600.0
    settles_s: float = 90.0
    is_cold: bool = True


class Held(NamedTuple):
    """The moves and returns that were seen, when all were there, when a process was killed, and megabytes of memory.

    They are those of both processes before anybody came, when all were there, and before one was killed.
    """

    seen: Seen
    since: float
    killed_at: float
    empty_mb: float
    full_mb: float
    late_mb: float


def crowd(scale: Scale) -> Iterator[Row]:
    """Hold the sockets on the database of this process, check what is kept, and yield what was seen.

    Raises `AssertionError` for whatever went wrong.
    """
    from tests.bench import cup_facts, rush_crowd  # noqa: PLC0415  models exist only after the setup

    rush_crowd.todays_deal()
    tokens = rush_crowd.crowd(scale.players, is_guest=False, is_bot=False)
    with running(rush_crowd.environment() | {"PYRAMID_CUPS": ""}, is_cold=scale.is_cold) as processes:
        held = asyncio.run(_hold(tokens, processes, scale))
    cup_facts.require_all_acknowledged(held.seen.acknowledged, unanswered=1)
    assert len(held.seen.acknowledged) == scale.players, "not all players have a game"
    yield from _figures(held, scale)


async def _hold(tokens: list[str], processes: list[Process], scale: Scale) -> Held:
    from tests.bench import cup_facts  # noqa: PLC0415  models exist only after the setup

    *serving, _ = processes
    ports = [process.port for process in serving if process.port is not None]
    empty = _megabytes(serving)
    groups = await started(Order(tokens, ports, scale.pace, enter_within_s=scale.players / scale.come_per_second))
    try:
        playing = asyncio.create_task(seen_by(groups))
        await until(lambda: cup_facts.are_all_there(scale.players))
        since, full = time(), _megabytes(serving)
        await asyncio.wait([playing], timeout=scale.held_s)
        late, killed_at = _megabytes(serving), time()
        await asyncio.to_thread(serving[0].stop, signal.SIGKILL)
        await asyncio.sleep(DEAD_FOR_S)
        await asyncio.to_thread(serving[0].start)
        await asyncio.wait([playing], timeout=scale.settles_s)
        for group in groups:
            group.end()
        return Held(await playing, since, killed_at, empty, full, late)
    finally:
        for group in groups:
            group.kill()


def _megabytes(serving: list[Process]) -> float:
    return sum(own_megabytes(process.pid) for process in serving)


def _figures(held: Held, scale: Scale) -> Iterator[Row]:
    back = sorted(until - held.killed_at for _, until in held.seen.returned)
    back_at = held.killed_at + (back[-1] if back else 0.0)
    memory = f"crowd: memory of the server for each of {scale.players:,} sockets, with its game"
    for when, megabytes in (("", held.full_mb), (", after all the moves", held.late_mb)):
        yield Row(f"{memory}{when}", (megabytes - held.empty_mb) / scale.players * 1e3, "KB")
    yield Row("crowd: sockets that were cut off, and came back", len(back), "")
    yield Row("crowd: after the kill, until the cards were there again: median", share(back, 0.5), "s")
    yield Row("crowd: after the kill, until the cards were there again: longest", share(back, 1), "s")
    moments = ("while they were held", held.since, held.killed_at), ("until all were back", held.killed_at, back_at)
    for what, since, end in (*moments, ("afterwards", back_at, float("inf"))):
        waits = [seconds for asked, seconds in held.seen.waits if since <= asked < end]
        yield Row(f"crowd: measured moves {what}", len(waits), "")
        yield Row(f"crowd: a move {what}, answered: median", share(waits, 0.5) * 1e3, "ms")
        yield Row(f"crowd: a move {what}, answered: p99", share(waits, 0.99) * 1e3, "ms")


def main(scale: Scale) -> None:
    import django  # noqa: PLC0415  nothing of it may be imported before the settings are known

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    for row in crowd(scale):
        print(f"{row.what:<92} {written(row.figure):>10} {row.unit}", flush=True)
    print("everybody has one game, and every acknowledged move is kept")


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=Scale().players)
    parser.add_argument("--minutes", type=float, default=Scale().held_s / 60)
    asked = parser.parse_args()
    main(Scale(asked.players, held_s=60 * asked.minutes))
