"""Spans of OpenTelemetry, where the operator wants them: nothing is imported, and nothing done, until `record`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

_tracer: Any = None


def record(tracer: Any) -> None:
    """Have spans made by a tracer from now on, or none with None."""
    global _tracer  # noqa: PLW0603  of the process
    _tracer = tracer


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
