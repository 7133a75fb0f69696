"""Spans of OpenTelemetry, where the operator wants them: nothing is imported, and nothing done, until `start`."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from typing import Any

REQUIREMENTS = "requirements-tracing.txt"

_tracer: Any = None


def is_installed() -> bool:
    return find_spec("opentelemetry") is not None and find_spec("opentelemetry.exporter") is not None


def start(url: str, version: str) -> None:
    """Send the spans of this process to a collector; nothing if `url` is empty.

    The environment variables of OpenTelemetry, such as `OTEL_TRACES_SAMPLER`, apply.
    """
    if not url:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415  an extra
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    provider = TracerProvider(resource=Resource.create({"service.name": "pyramid", "service.version": version}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=url)))
    record(provider.get_tracer("pyramid"))


def record(tracer: Any) -> None:
    """Have spans made by a tracer from now on, or none with None."""
    global _tracer  # noqa: PLW0603  of the process
    _tracer = tracer


def is_recording() -> bool:
    return _tracer is not None


def span(name: str, attributes: Mapping[str, Any] | None = None) -> AbstractContextManager[Any]:
    """Return a context in which a span is open; it yields the span, or None where none is recorded."""
    return nullcontext() if _tracer is None else _tracer.start_as_current_span(name, attributes=attributes)


def request_span(method: str, headers: Mapping[str, str]) -> AbstractContextManager[Any]:
    """Return the same for a request, as a part of the trace that its header `traceparent` names."""
    if _tracer is None:
        return nullcontext()
    from opentelemetry import propagate, trace  # noqa: PLC0415  an extra

    parent = propagate.extract({name.lower(): value for name, value in headers.items()})
    context: AbstractContextManager[Any] = _tracer.start_as_current_span(
        method, context=parent, kind=trace.SpanKind.SERVER
    )
    return context
