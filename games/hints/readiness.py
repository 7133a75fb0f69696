"""Load the solver in the background: a first hint waits for it instead of being a guess."""

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor

from games.rules import RuleSet

_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="preparing")
_preparing: dict[RuleSet, Future[None]] = {}


async def solver_is_ready(rules: RuleSet, *, seconds: float) -> bool:
    """Return True if the solver is ready within a time. The first call for a rule set begins to load or compile it."""
    if rules not in _preparing:
        _preparing[rules] = _thread.submit(_prepare, rules)
    preparing = _preparing[rules]
    if not preparing.done():
        await asyncio.wait([asyncio.wrap_future(preparing)], timeout=seconds)
    return preparing.done() and preparing.result() is None


def _prepare(rules: RuleSet) -> None:
    from games.solver.preparing import prepare_search  # noqa: PLC0415  loads the compiler

    prepare_search(rules)
