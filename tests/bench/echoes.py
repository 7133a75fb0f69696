"""Servers that do nothing but answer: what the games are measured beside."""

from __future__ import annotations

from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter, URLRouter
from django.urls import re_path


async def _http(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def asgi_echo(scope: Any, receive: Any, send: Any) -> None:
    """Echo text frames with nothing but ASGI."""
    if scope["type"] == "http":
        await _http(scope, receive, send)
    elif scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (event := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": event["text"]})


class Echo(AsyncWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await self.send(text_data)


channels_echo = ProtocolTypeRouter({"http": _http, "websocket": URLRouter([re_path("", Echo.as_asgi())])})
