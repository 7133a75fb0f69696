"""The cost of hints and notices, requested as the server does: through the thread for background searches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from time import process_time
from typing import TypeVar

from games.hints.hints import Knowledge, cannot_be_won, suggest
from games.hints.search_pool import search
from games.solver import is_winnable, solve
from tests.bench.solver import deals, mid_game, summary
from tests.bench.table import Row

A = TypeVar("A")
DECKS, FEW_DECKS, TIMEOUT_SECONDS = 750, 100, 60.0


def rows() -> Iterator[Row]:
    for slug in ("relaxed", "standard"):
        plays = mid_game(deals(slug, DECKS))
        positions = [play.position for play in plays if play.result is None and play.position.legal_moves]
        known = [Knowledge(position, ()) for position in positions]
        partly = [Knowledge.of(play) for play in plays[:FEW_DECKS] if play.position.legal_moves]
        yield from measure(f"shortest line, {slug}", positions, solve)
        yield from measure(f"verdict, {slug}", positions, is_winnable)
        yield from measure(f"hint, all cards seen, {slug}", known, suggest)
        yield from measure(f"hint, as seen, {slug}", partly, suggest)
        yield from measure(f"notice of a loss, {slug}", partly, cannot_be_won)


def measure(what: str, questions: list[A], answer: Callable[[A], object]) -> Iterator[Row]:
    """Ask each question through the pool and yield the processor time of the whole process."""

    async def ask() -> list[float]:
        taken = []
        for question in questions:
            begun = process_time()
            await search(answer, question, asker=0, seconds=TIMEOUT_SECONDS)
            taken.append((process_time() - begun) * 1e3)
        return taken

    answer(questions[0])
    yield from summary(f"searching: {what}", asyncio.run(ask()))
