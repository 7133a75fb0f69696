"""The messages of webhooks in the OpenAPI document."""

from __future__ import annotations

from typing import Any

import msgspec

from games.doors.wire import schemas_of
from leaderboards.webhooks.models import WebhookEvent
from leaderboards.webhooks.payloads import EVENTS


def describe_webhooks(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """Add the events that a webhook receives to the OpenAPI document."""
    schemas = schemas_of(dict.fromkeys(kind for kind, _ in EVENTS.values()), "#/components/schemas/{name}")
    result["components"]["schemas"].update(schemas)
    result["webhooks"] = {event.value: {"post": _operation(event, *about)} for event, about in EVENTS.items()}
    return result


def _operation(event: WebhookEvent, kind: type[msgspec.Struct], summary: str) -> dict[str, Any]:
    properties = {
        "type": {"const": event.value},
        "timestamp": {"type": "string", "format": "date-time"},
        "data": {"$ref": f"#/components/schemas/{kind.__name__}"},
    }
    body = {"type": "object", "properties": properties, "required": list(properties)}
    headers = {
        "webhook-id": "The same each time that a message is sent again.",
        "webhook-timestamp": "Seconds since 1970; reject what is more than five minutes off.",
        "webhook-signature": "`v1,` and the HMAC-SHA-256 of id, timestamp and body, joined by dots.",
    }
    return {
        "operationId": f"webhook_{event.value.replace('.', '_')}",
        "summary": summary,
        "description": "Sent to the addresses of the operator, see [Webhooks](/docs/webhooks/).",
        "parameters": [
            {"name": name, "in": "header", "required": True, "schema": {"type": "string"}, "description": text}
            for name, text in headers.items()
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {
            "2XX": {"description": "It is accepted."},
            "410": {"description": "The webhook is switched off."},
        },
        "security": [],
    }
