"""`/metrics` for Prometheus, protected by `PYRAMID_METRICS_TOKEN`."""

from __future__ import annotations

import os

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from pyramid_server.worker_metrics import WorkerMetrics

_of_worker = CollectorRegistry(auto_describe=False)
_of_worker.register(WorkerMetrics())


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    token = settings.PYRAMID_METRICS_TOKEN
    if not token or not constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}"):
        raise Http404
    return HttpResponse(everything(), content_type=CONTENT_TYPE_LATEST)


def everything() -> bytes:
    return generate_latest(_registry()) + generate_latest(_of_worker)


def _registry() -> CollectorRegistry:
    """Return the metrics of this process, or of all processes that share the folder `PROMETHEUS_MULTIPROC_DIR`."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
