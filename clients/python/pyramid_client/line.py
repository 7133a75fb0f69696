"""A socket that comes back by itself, as docs/live-protocol.md asks under "Coming back"."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from typing import Any, Generic, TypeVar, get_args
from urllib.parse import quote

import msgspec

from pyramid_client.errors import Closed, Refused, Superseded, Unreachable
from pyramid_client.steps import MOST_ATTEMPTS, Connect, Disconnect, Lost, Receive, Send, Sleep, Work, back_off

SUPERSEDED = 4409
FINAL = {1009, 4401, 4403, 4404, 4406, SUPERSEDED}
AT_ONCE = {1012, 4408}

M = TypeVar("M", bound=msgspec.Struct)
T = TypeVar("T")


class _Typed(msgspec.Struct):
    type: str


_typed = msgspec.json.Decoder(_Typed)


def socket_at(server: str, *parts: str) -> str:
    """Return the address of a socket, in which each part stays one, whatever is in it."""
    path = "/".join(quote(part, safe="") for part in parts)
    return f"{server.replace('http', 'ws', 1)}/ws/{path}/"


class Line(Generic[M]):
    """One socket. `kinds` is the union of the messages that it understands, and `learn` is called with each.

    `address` may change; the next connection uses it.
    """

    def __init__(self, address: str, token: str, kinds: Any, learn: Callable[[M], None]) -> None:
        self.address = address
        self.chance: Callable[[], float] = random.random
        self._token = token
        self._learn = learn
        self._known = {kind.__struct_config__.tag for kind in get_args(kinds)}
        self._decoder: msgspec.json.Decoder[M] = msgspec.json.Decoder(kinds)
        self._is_open = False
        self._attempts = 0

    def converse(self, talk: Callable[[M | None], Work[T]]) -> Work[T]:
        """Talk over an open connection, and start again whenever it breaks.

        The first message of a new connection is passed to `talk`. Raises `Closed` and `Unreachable`.
        """
        while True:
            try:
                first = None if self._is_open else (yield from self._connect())
                return (yield from talk(first))
            except Lost as lost:
                yield from self._recover(lost)

    def carry_out(self, talk: Callable[[M | None], Work[T]]) -> Work[T]:
        """Converse, and while the server is unavailable again, each time after a longer pause.

        `talk` raises `Refused` if the server refuses its command; any other refusal, and what `converse` raises, is
        passed on.
        """
        for busy in count(1):
            try:
                return (yield from self.converse(talk))
            except Refused as refused:
                if refused.code != "unavailable":
                    raise
            yield Sleep(back_off(busy, self.chance))
        raise AssertionError  # the loop has no end

    def send(self, message: msgspec.Struct) -> Work[None]:
        yield Send(msgspec.json.encode(message))

    def hear(self) -> Work[M]:
        """Return the next message."""
        while True:
            if (message := (yield from self.hear_within(None))) is not None:
                return message

    def hear_within(self, seconds: float | None) -> Work[M | None]:
        """Return the next message; None if there is none within these seconds."""
        while True:
            frame = yield Receive(seconds)
            if frame is None:
                return None
            if _typed.decode(frame).type in self._known:  # a later server may send other types
                message = self._decoder.decode(frame)
                self._learn(message)
                return message

    def close(self) -> Work[None]:
        self._is_open = False
        yield Disconnect()

    def _connect(self) -> Work[M]:
        yield Connect(self.address, self._token)
        self._is_open = True
        first = yield from self.hear()
        self._attempts = 0
        return first

    def _recover(self, lost: Lost) -> Work[None]:
        """Wait until it is time to connect again. Raises `Closed` or `Unreachable` if that would not help."""
        yield from self.close()
        if lost.code in FINAL:
            raise (Superseded if lost.code == SUPERSEDED else Closed)(lost.code) from lost
        self._attempts += 1
        if self._attempts > MOST_ATTEMPTS:
            raise Unreachable(f"{self.address} does not answer: {lost}") from lost
        if lost.asked:
            yield Sleep(lost.asked)
        elif self._attempts > 1 or lost.code not in AT_ONCE:
            yield Sleep(back_off(self._attempts, self.chance))
