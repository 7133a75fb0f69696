"""Answer probes. `live` says that the process runs; `ready` that it can serve players.

Players are served without the channel layer too; that it fails is told all the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

logger = logging.getLogger(__name__)


def database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def migrations() -> None:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        raise RuntimeError(f"{len(missing)} migrations are not applied")


@async_to_sync
async def channel_layer() -> None:
    layer = get_channel_layer()
    channel = await layer.new_channel("health")
    await layer.send(channel, {"type": "health"})
    await asyncio.wait_for(layer.receive(channel), timeout=2)


NEEDED = {"database", "migrations"}
CHECKS: dict[str, Callable[[], None]] = {
    "database": database,
    "migrations": migrations,
    "channel_layer": channel_layer,
}


def verdict(name: str) -> str:
    """Run one check. Whoever asks learns that it fails; why is for the log."""
    try:
        CHECKS[name]()
    except Exception as error:  # noqa: BLE001  whatever fails means "not ready", never a crash of the probe
        logger.warning("not ready: %s: %s", name, error)
        return "failing"
    return "ok"


@require_safe
@never_cache
def live(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    verdicts = {name: verdict(name) for name in CHECKS}
    is_ready = all(verdicts[name] == "ok" for name in NEEDED)
    return JsonResponse(verdicts, status=200 if is_ready else 503)
