"""Traces for a collector of OpenTelemetry, if `PYRAMID_TRACES_URL` names one."""

from __future__ import annotations

from importlib.util import find_spec

from games.runtime import tracing
from pyramid_server import __version__

REQUIREMENTS = "requirements-tracing.txt"


def is_installed() -> bool:
    return find_spec("opentelemetry") is not None and find_spec("opentelemetry.exporter") is not None


def start_traces(url: str) -> None:
    """Send the spans of this process to a collector; nothing if `url` is empty.

    The environment variables of OpenTelemetry, such as `OTEL_TRACES_SAMPLER`, apply.
    """
    if not url:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415  an extra
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    resource = Resource.create({"service.name": "pyramid", "service.version": __version__})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=url)))
    tracing.record(provider.get_tracer("pyramid"))
