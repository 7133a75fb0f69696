"""Calls over REST on a line that may break at any moment."""

from __future__ import annotations

import asyncio
import json
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

TIMEOUT_SECONDS = 60.0
AWAY = (502, 503)  # nothing was changed, or it is not known
PAUSE_SECONDS = 0.1  # between two attempts to connect

Message = dict[str, Any]


class Guest(NamedTuple):
    """A player, and the address of a server."""

    url: str
    token: str

    async def read(self, path: str) -> Message:
        return await ask(self.url, path, None, self.token)

    async def post(self, path: str, body: Message) -> Message:
        return await ask(self.url, path, body, self.token)


async def new_guest(url: str) -> Guest:
    return Guest(url, (await ask(url, "/api/guests/", {}))["token"])


async def ask(url: str, path: str, body: Message | None, token: str = "") -> Message:
    """Post a body, or read if there is none, however often it takes. Raises `AssertionError` at a refusal."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while True:
            try:
                return await asyncio.to_thread(_ask_once, url, path, body, token)
            except (OSError, HTTPException):
                await asyncio.sleep(PAUSE_SECONDS)


def _ask_once(url: str, path: str, body: Message | None, token: str) -> Message:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(url + path, data, headers), timeout=TIMEOUT_SECONDS) as answer:
            told: Message = json.load(answer)
            return told
    except HTTPError as refusal:
        with refusal:  # read here, in a thread: what comes over the line has to be passed on by the event loop
            told_why = f"{path} {body}: {refusal.code} {refusal.read().decode()}"
        if refusal.code in AWAY:
            raise ConnectionError(told_why) from None
        raise AssertionError(told_why) from None
