"""Load the solver in the background: a first hint waits for it instead of being a guess."""

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor

_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="preparing")
_preparing: Future[None] | None = None


async def solver_is_ready(*, seconds: float) -> bool:
    """Return True if the solver is ready within a time. The first call begins to load it, or to compile it."""
    global _preparing  # noqa: PLW0603  once in each process
    if _preparing is None:
        _preparing = _thread.submit(_prepare)
    if not _preparing.done():
        await asyncio.wait([asyncio.wrap_future(_preparing)], timeout=seconds)
    return _preparing.done() and _preparing.result() is None


def _prepare() -> None:
    from games.solver.preparing import prepare  # noqa: PLC0415  loads the compiler

    prepare()
