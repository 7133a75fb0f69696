"""Metrics of the worker's tasks and of the coming days, from the database, so that any process can give them."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import DatabaseError
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from games.calendar.dailies import days_committed
from games.worker.models import WorkerTask
from pyramid_server.postgresql.base import answered_within

QUERY_SECONDS = 1.0


class WorkerMetrics(Collector):
    """Reads the table of tasks at each scrape; yields nothing while the database does not answer."""

    def collect(self) -> Iterator[Metric]:
        try:
            with answered_within(QUERY_SECONDS):
                rows, days = list(WorkerTask.objects.all()), days_committed(timezone.now())
        except DatabaseError:
            return
        yield GaugeMetricFamily(
            "pyramid_days_committed", "Days, today included, whose daily deals are committed to.", value=days
        )
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


def _gauge(name: str, meaning: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"pyramid_worker_task_{name}", meaning, labels=["task"])


def _counter(name: str, meaning: str) -> CounterMetricFamily:
    return CounterMetricFamily(f"pyramid_worker_task_{name}", meaning, labels=["task"])
