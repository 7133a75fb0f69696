"""The gain of two threads of one process over one, and what players notice of a third.

With the interpreter's lock, only the solver's kernels gain, which let go of it: python -m tests.bench threads.
`make free-threaded` measures without it.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import median
from time import perf_counter

from games.doors.parallel import has_free_threads
from games.rules import RULE_SETS
from games.solver import is_winnable, solve
from games.solver.preparing import prepare_search
from tests.bench.apart import rows_on_sqlite
from tests.bench.live import draw, new_games
from tests.bench.sockets import Endpoint, closed_loop, opened
from tests.bench.solver import deals
from tests.bench.table import Row
from tests.processes import MANAGE, UNLIMITED, UVICORN, free_port, own_database, serving
from tests.processes import run as run_command

DECKS, GAMES, PIECE, ROUNDS, THREADS = 150, 1000, 50, 9, 2
PLAYERS, MOVES, THINKING_SECONDS = 20, 100, 0.1


def rows() -> Iterator[Row]:
    yield from rows_on_sqlite(__name__, PYRAMID_DAILY_RULE_SETS="standard")
    yield from beside_play()


def measured() -> Iterator[Row]:
    from games.play.reexecution import differing, finished_ranked  # noqa: PLC0415  models exist only after the setup
    from tests.bench.judged import slices  # noqa: PLC0415
    from tests.bench.reexecution import seed  # noqa: PLC0415

    yield Row("threads: with the interpreter's lock", not has_free_threads(), "")
    for slug in ("standard", "relaxed"):
        prepare_search(RULE_SETS[slug])
        decks = deals(slug, DECKS)
        yield gain(f"shortest, {slug}", [partial(solve, deck) for deck in decks])
        yield gain(f"verdict, {slug}", [partial(is_winnable, deck) for deck in decks])
    yield gain("detectors", slices())
    seed(GAMES)
    games = list(finished_ranked().values_list("pk", flat=True))
    pieces = [games[first : first + PIECE] for first in range(0, GAMES, PIECE)]
    yield gain("verification", [partial(differing, piece) for piece in pieces])


def gain(what: str, pieces: Sequence[Callable[[], object]]) -> Row:
    """Do all pieces on one thread and on two, by turns, and return how many times faster two are."""
    seconds(pieces, 1)
    pairs = [(seconds(pieces, 1), seconds(pieces, THREADS)) for _ in range(ROUNDS)]
    return Row(f"threads: {what}, two instead of one", median(one / two for one, two in pairs), "times")


def seconds(pieces: Sequence[Callable[[], object]], threads: int) -> float:
    with ThreadPoolExecutor(threads) as pool:
        begun = perf_counter()
        for done in [pool.submit(piece) for piece in pieces]:
            done.result()
        return perf_counter() - begun


def beside_play() -> Iterator[Row]:
    """Measure how long players wait for answers of a process with and without a thread that judges games."""
    for what, application in (("alone", "pyramid_server.asgi"), ("detectors beside it", "tests.bench.judging_server")):
        with tempfile.TemporaryDirectory() as folder, own_database(Path(folder)) as own:
            environment = own | UNLIMITED
            assert run_command([*MANAGE, "worker", "--once"], environment).returncode == 0
            port = free_port()
            with serving([*UVICORN, str(port), f"{application}:application"], port, environment):
                waits = asyncio.run(_waits(new_games(port, environment, PLAYERS)))
        yield Row(f"threads: a move, {what}, median", waits[len(waits) // 2] * 1e3, "ms")
        yield Row(f"threads: a move, {what}, p99", waits[len(waits) * 99 // 100] * 1e3, "ms")


async def _waits(games: list[Endpoint]) -> list[float]:
    sockets = await opened(games)
    first = [await socket.text() for socket in sockets]
    loops = await asyncio.gather(
        *(
            closed_loop(socket, draw, last, MOVES, pause=THINKING_SECONDS)
            for socket, last in zip(sockets, first, strict=True)
        )
    )
    for socket in sockets:
        socket.hang_up()
    return sorted(chain.from_iterable(taken for taken, _ in loops))
