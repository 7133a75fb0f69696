"""Answer the probe that asks if the process can serve players; `pyramid_server.http` answers if it runs.

Players are served even without Redis; its failure is reported all the same.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis

logger = logging.getLogger(__name__)


def database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def migrations() -> None:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing:
        raise RuntimeError(f"{len(missing)} migrations are not applied")


def redis() -> None:
    if settings.REDIS_URL:
        with Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2) as client:
            client.ping()


NEEDED = {"database", "migrations"}
CHECKS: dict[str, Callable[[], None]] = {
    "database": database,
    "migrations": migrations,
    "redis": redis,
}


def verdict(name: str) -> str:
    """Run a check. The answer says only that it failed; the reason is logged."""
    try:
        CHECKS[name]()
    except Exception as error:  # noqa: BLE001  whatever fails means "not ready", never a crash of the probe
        logger.warning("not ready: %s: %s", name, error)
        return "failing"
    return "ok"


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    verdicts = {name: verdict(name) for name in CHECKS}
    is_ready = all(verdicts[name] == "ok" for name in NEEDED)
    return JsonResponse(verdicts, status=200 if is_ready else 503)
