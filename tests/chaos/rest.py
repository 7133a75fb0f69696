"""Calls over REST on a line that may break at any moment."""

from __future__ import annotations

import asyncio
import json
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

TIMEOUT_SECONDS = 60.0
PAUSE_SECONDS = 0.1  # between two attempts to connect

Message = dict[str, Any]


class Guest(NamedTuple):
    """A player, and the port at which there is a server."""

    port: int
    token: str

    async def read(self, path: str) -> Message:
        return await ask(self.port, path, None, self.token)

    async def post(self, path: str, body: Message) -> Message:
        return await ask(self.port, path, body, self.token)


async def new_guest(port: int) -> Guest:
    return Guest(port, (await ask(port, "/api/guests/", {}))["token"])


async def ask(port: int, path: str, body: Message | None, token: str = "") -> Message:
    """Post a body, or read if there is none, however often it takes. Raises `AssertionError` at a refusal."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while True:
            try:
                return await asyncio.to_thread(_ask_once, port, path, body, token)
            except HTTPError as refusal:
                told = f"{path} {body}: {refusal.code} {refusal.read().decode()}"
                raise AssertionError(told) from None
            except (OSError, HTTPException):
                await asyncio.sleep(PAUSE_SECONDS)


def _ask_once(port: int, path: str, body: Message | None, token: str) -> Message:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"http://127.0.0.1:{port}{path}", data, headers), timeout=TIMEOUT_SECONDS) as answer:
        told: Message = json.load(answer)
        return told
