"""`/metrics` for Prometheus, protected by `PYRAMID_METRICS_TOKEN`.

Those of the worker's tasks and of the coming days come from the database, so that any process can give them.
"""

import os
from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from games.calendar.dailies import days_committed
from games.push.counts import outcomes, seconds_waited
from games.runtime.clock import clock
from games.status.backups import last_archived, last_backup, last_rehearsal
from games.worker.models import WorkerTask
from pyramid_server import __version__
from pyramid_server.postgresql.base import answered_within

QUERY_SECONDS = 1.0


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    if not may_read(request):
        raise Http404
    return HttpResponse(everything(), content_type=CONTENT_TYPE_LATEST)


def may_read(request: HttpRequest) -> bool:
    """Return True for a request with the token of Prometheus."""
    token = settings.PYRAMID_METRICS_TOKEN
    return bool(token) and constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}")


def everything() -> bytes:
    return generate_latest(_of_processes()) + generate_latest(_of_server)


def _of_processes() -> CollectorRegistry:
    """Return the metrics of this process, or of all processes that share the folder `PROMETHEUS_MULTIPROC_DIR`."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry


class _WorkerMetrics(Collector):
    """Reads the table of tasks at each scrape; yields nothing while the database does not answer."""

    def collect(self) -> Iterator[Metric]:
        try:
            with answered_within(QUERY_SECONDS):
                rows, days = list(WorkerTask.objects.all()), days_committed(clock.now())
                pushed, waiting = outcomes(), seconds_waited(clock.now())
                size, saved, archived = _database_bytes(), last_backup(), last_archived()
                rehearsed = last_rehearsal()
        except DatabaseError:
            return
        yield GaugeMetricFamily(
            "pyramid_days_committed", "Days, today included, whose daily deals are committed to.", value=days
        )
        yield GaugeMetricFamily("pyramid_database_bytes", "The size of the database.", value=size)
        yield _moment("pyramid_backup_timestamp_seconds", "When the database was last saved.", saved)
        yield _moment("pyramid_rehearsal_timestamp_seconds", "When a restore was last rehearsed.", rehearsed)
        yield _moment("pyramid_archive_timestamp_seconds", "When its log was last added to an archive.", archived)
        yield GaugeMetricFamily(
            "pyramid_push_waiting_seconds", "How long the oldest message that is due has waited.", value=waiting
        )
        ended = CounterMetricFamily("pyramid_push_messages", "Messages to devices by outcome.", labels=["outcome"])
        for outcome, count in pushed.items():
            ended.add_metric([outcome], count)
        yield ended
        for metric, field in (
            (_gauge("last_run_timestamp_seconds", "When a task last ran, in any worker."), "last_run_at"),
            (_gauge("duration_seconds", "How long its last run took."), "last_seconds"),
            (_gauge("interval_seconds", "How often it is to run."), "every_seconds"),
            (_gauge("failures_in_a_row", "How often it failed since it last did not."), "failures_in_a_row"),
            (_counter("runs", "Runs of a task."), "runs"),
            (_counter("failures", "Runs that failed."), "failures"),
            (_counter("retries", "Runs that followed a failure."), "retries"),
        ):
            for row in rows:
                value = getattr(row, field)
                metric.add_metric([row.name], value.timestamp() if field == "last_run_at" else float(value))
            yield metric


def _moment(name: str, meaning: str, at: datetime | None) -> GaugeMetricFamily:
    """Return a moment, without a value for what has never been."""
    metric = GaugeMetricFamily(name, meaning, labels=[])
    if at is not None:
        metric.add_metric([], at.timestamp())
    return metric


def _database_bytes() -> int:
    in_sqlite = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    in_postgresql = "SELECT pg_database_size(current_database())"
    with connection.cursor() as cursor:
        cursor.execute(in_postgresql if connection.vendor == "postgresql" else in_sqlite)
        size: int = cursor.fetchone()[0]
    return size


def _gauge(name: str, meaning: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"pyramid_worker_task_{name}", meaning, labels=["task"])


def _counter(name: str, meaning: str) -> CounterMetricFamily:
    return CounterMetricFamily(f"pyramid_worker_task_{name}", meaning, labels=["task"])


class _Version(Collector):
    """Yields the version of this server, to see nodes of two versions side by side."""

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("pyramid_build", "The version of the server.", value={"version": __version__})


_of_server = CollectorRegistry(auto_describe=False)
_of_server.register(_Version())
_of_server.register(_WorkerMetrics())
