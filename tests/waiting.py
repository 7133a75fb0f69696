"""Waiting for what another task, thread or process makes true."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

SECONDS = 180.0  # a limit for what never comes, not for what is slow


async def until(is_true: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not is_true():  # noqa: ASYNC110  nobody tells
            await asyncio.sleep(0.01)
