"""The AsyncAPI 3 document of all sockets, made from the types of their messages. It is kept as docs/asyncapi.json."""

from collections.abc import Iterable
from inspect import cleandoc
from typing import Any

import msgspec

from games.doors.rest.openapi import scopes_named
from games.doors.wire import schemas_of
from pyramid_server import __version__
from pyramid_server.asyncapi_examples import EXAMPLES
from pyramid_server.asyncapi_sockets import SOCKETS, Socket, Type, message_name

Json = dict[str, Any]

SECURITY_SCHEMES: dict[str, Json] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "`Authorization: Bearer TOKEN` in the handshake, with the token of `POST /api/guests/`.",
    },
    "ticket": {
        "type": "httpApiKey",
        "in": "query",
        "name": "ticket",
        "description": "For clients that cannot set headers: a ticket of `POST /api/tickets/`, good for a minute.",
    },
    "session": {
        "type": "httpApiKey",
        "in": "cookie",
        "name": "sessionid",
        "description": "The session of a browser on the server's own pages, or on those of a trusted origin.",
    },
}


def asyncapi_document() -> Json:
    """Return the document, written from the server's side: it receives what clients send."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Pyramid Server, live",
            "version": __version__,
            "description": (
                "Text frames, one JSON object each; `type` says which. Numbers are written without fraction or "
                "exponent. The server refuses fields that it does not know; a client ignores them. The operations "
                "are the server's: it receives what clients send."
            ),
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "any": {
                "host": "{host}",
                "protocol": "ws",
                "description": "`ws`, or `wss` where the server is behind TLS.",
                "variables": {"host": {"default": "127.0.0.1:8000", "description": "Host name and port."}},
            }
        },
        "channels": {socket.name: _channel(socket) for socket in SOCKETS},
        "operations": {name: operation for socket in SOCKETS for name, operation in _operations(socket)},
        "components": {
            "schemas": {name: schema for socket in SOCKETS for name, schema in _schemas(socket).items()},
            "messages": {
                full_name: message
                for socket in SOCKETS
                for full_name, message in (_one_of(socket, phases) for phases in _messages(socket).values())
            },
            "correlationIds": {
                "number": {
                    "description": "The client's own number of a message; the answer has it too.",
                    "location": "$message.payload#/id",
                }
            },
            "securitySchemes": SECURITY_SCHEMES,
        },
    }


def _full_name(socket: Socket, kind: Type) -> str:
    return f"{socket.family.title()}{kind.__name__}"


def _channel(socket: Socket) -> Json:
    codes = "\n".join(f"* {code.value}: {code.meaning}; {code.advice}" for code in socket.close_codes)
    ticket = {"type": "object", "properties": {"ticket": {"type": "string"}}}
    return {
        "address": socket.address,
        "description": f"{socket.description}\n\nClose codes:\n\n{codes}",
        **_parameters(socket),
        "messages": {
            name: {"$ref": f"#/components/messages/{_one_of(socket, phases)[0]}"}
            for name, phases in _messages(socket).items()
        },
        "bindings": {"ws": {"method": "GET", "query": ticket, "bindingVersion": "0.1.0"}},
        "x-close-codes": {
            str(code.value): {"meaning": code.meaning, "advice": code.advice} for code in socket.close_codes
        },
    }


def _parameters(socket: Socket) -> Json:
    if not socket.parameters:
        return {}
    return {
        "parameters": {
            name: {"description": meaning, "examples": [example]} for name, meaning, example in socket.parameters
        }
    }


def _operations(socket: Socket) -> Iterable[tuple[str, Json]]:
    """Yield an operation for each message of a client, with its answers, and one for all unprompted messages."""
    channel = {"$ref": f"#/channels/{socket.name}"}
    security = {"security": [{"$ref": f"#/components/securitySchemes/{name}"} for name in socket.security]}
    common = {"channel": channel, **(security if socket.security else {})}
    for phase in socket.phases:
        for kind, answers in phase.replies.items():
            reply = {"channel": channel, "messages": _references(socket, answers)}
            operation = {"action": "receive", "summary": _summary(kind), "messages": _references(socket, [kind])}
            scopes = scopes_named(*phase.scopes_of(kind))
            yield f"{socket.name}{kind.__name__}", {**common, **operation, "reply": reply, **scopes}
    told = _references(socket, [kind for phase in socket.phases for kind in phase.unsolicited])
    unsolicited = {"summary": "Messages that no client asked for.", "messages": told}
    yield f"{socket.name}Tell", {**common, "action": "send", **unsolicited, **scopes_named(*socket.needs)}


def _references(socket: Socket, kinds: Iterable[Type]) -> list[Json]:
    names = dict.fromkeys(map(message_name, kinds))
    return [{"$ref": f"#/channels/{socket.name}/messages/{name}"} for name in names]


def _schemas(socket: Socket) -> dict[str, Json]:
    """Return the JSON schemas of all messages and their parts, by full name."""
    prefix = socket.family.title()
    schemas = schemas_of(socket.types, f"#/components/schemas/{prefix}{{name}}")
    return {f"{prefix}{name}": schema for name, schema in schemas.items()}


def _messages(socket: Socket) -> dict[str, dict[str, Json]]:
    """Return all messages of a socket by name, and those of each name by full name: the phases may differ in them."""
    found: dict[str, dict[str, Json]] = {}
    for phase in socket.phases:
        for kind in phase.types:
            found.setdefault(message_name(kind), {})[_full_name(phase, kind)] = _message(phase, kind)
    return found


def _one_of(socket: Socket, phases: dict[str, Json]) -> tuple[str, Json]:
    """Return the one message of a name, with its full name; if the phases have their own, one that is any of them."""
    if len(phases) == 1:
        return next(iter(phases.items()))
    messages = list(phases.values())
    joined = {
        "payload": {"anyOf": [message["payload"] for message in messages]},
        "examples": [example for message in messages for example in message["examples"]],
    }
    return f"{socket.name.title()}{messages[0]['title']}", messages[0] | joined


def _message(socket: Socket, kind: Type) -> Json:
    numbered = "id" in kind.__struct_fields__
    return {
        "name": message_name(kind),
        "title": kind.__name__,
        "summary": _summary(kind),
        "payload": {"$ref": f"#/components/schemas/{_full_name(socket, kind)}"},
        **({"correlationId": {"$ref": "#/components/correlationIds/number"}} if numbered else {}),
        "examples": [
            {"name": name, "payload": _payload(message)}
            for name, message in EXAMPLES[socket.family]
            if type(message) is kind
        ],
    }


def _summary(kind: Type) -> str:
    return cleandoc(kind.__doc__ or "")


def _payload(message: msgspec.Struct) -> Json:
    """Return a message as sent, without unset optional fields."""
    optional = {field.name: field.default for field in msgspec.structs.fields(message) if not field.required}
    payload: Json = msgspec.to_builtins(message)
    return {name: value for name, value in payload.items() if name not in optional or value != optional[name]}
