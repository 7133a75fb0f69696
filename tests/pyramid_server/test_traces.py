"""Spans of requests, of the journal and of tasks, as an exporter gets them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from games.runtime import tracing
from games.worker import tasks
from games.worker.records import TaskRecord
from games.worker.tasks import Periodic, run_due

pytest.importorskip("opentelemetry.sdk")

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

pytestmark = pytest.mark.django_db


@pytest.fixture
def exporter() -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing.record(provider.get_tracer("tests"))
    yield exporter
    tracing.record(None)
    provider.shutdown()


def test_a_request_is_a_span_of_its_callers_trace_without_its_query(
    client: Client, exporter: InMemorySpanExporter
) -> None:
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    client.get("/rules/standard/?ticket=hunter2", headers={"traceparent": parent, "x-request-id": "proxy-0001"})
    [span] = exporter.get_finished_spans()
    assert span.name == "GET /rules/<slug:name>/"
    assert span.parent is not None
    assert format(span.parent.span_id, "016x") == "b7ad6b7169203331"
    assert span.attributes == {
        "http.request.method": "GET",
        "http.route": "/rules/<slug:name>/",
        "http.response.status_code": 200,
        "pyramid.request": "proxy-0001",
    }
    assert "hunter2" not in span.to_json()


def test_a_run_of_a_task_is_a_span_and_a_failed_one_says_so(
    exporter: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sweep(now: datetime) -> None:
        raise ValueError("nothing to sweep")

    monkeypatch.setattr(tasks, "_tasks", [Periodic(sweep, timedelta(hours=1))])
    monkeypatch.setattr(tasks, "_record", TaskRecord())
    run_due(datetime(2026, 3, 1, tzinfo=UTC))
    [span] = exporter.get_finished_spans()
    assert (span.name, span.status.is_ok) == ("task.sweep", False)


def test_without_the_setting_there_are_no_spans(client: Client) -> None:
    assert tracing.span("anything").__enter__() is None
    assert client.get("/rules/").status_code == 200
