"""Look-ups that wait at the same moment become one query: a crowd that comes back at once waits for few."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from typing import Any, Generic, TypeVar

from games.runtime.threads import run_in_db_thread

Key = TypeVar("Key")
Found = TypeVar("Found")

AT_ONCE = 100  # the thread is shared: other queries come in between
CROWD_LINGERS_S = 0.02  # for look-ups that each of many who come back at once needs


class Gathering(Generic[Key, Found]):
    """Looks up all keys that tasks of one event loop wait for, together.

    `find` returns for each key what was found, or the error to raise. If it raises an error, all that asked get that.
    `run` calls it in a thread. In a crowd, when several waited or came meanwhile, it waits `lingers_s` seconds for more
    of them: few large queries cost less than many small ones (`BatchThread` does so too).
    """

    def __init__(
        self,
        find: Callable[[Sequence[Key]], Sequence[Found | Exception]],
        run: Callable[..., Awaitable[Any]] = run_in_db_thread,
        *,
        lingers_s: float = 0.0,
    ) -> None:
        self._find, self._run, self._lingers_s = find, run, lingers_s
        self._waiting: list[tuple[Key, asyncio.Future[Found]]] = []
        self._finding: asyncio.Task[None] | None = None

    async def get(self, key: Key) -> Found:
        """Return what is found for a key, or raise what `find` returns for it."""
        future: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
        self._waiting.append((key, future))
        if self._finding is None:
            # In no context: in that of a request its query would run on the request's thread, which ends with it.
            self._finding = asyncio.create_task(self._find_waiting(), context=Context())
        return await future

    async def _find_waiting(self) -> None:
        try:
            while self._waiting:
                asked, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
                found = await self._found([key for key, _ in asked])
                for (_, future), outcome in zip(asked, found, strict=True):
                    if future.done():  # its task was cancelled
                        continue
                    if isinstance(outcome, Exception):
                        future.set_exception(outcome)
                    else:
                        future.set_result(outcome)
                if self._lingers_s and (self._waiting or len(asked) > 1):
                    await asyncio.sleep(self._lingers_s)
        finally:
            self._finding = None

    async def _found(self, keys: Sequence[Key]) -> Sequence[Found | Exception]:
        try:
            found: Sequence[Found | Exception] = await self._run(self._find, keys)
            return found
        except Exception as error:  # noqa: BLE001  without an outcome all of them would wait in vain
            return [error] * len(keys)
