"""The reasons for which the server ends a connection, a code each, as docs/live-protocol.md lists them."""

from __future__ import annotations

from enum import IntEnum
from typing import Self


class CloseCode(IntEnum):
    """A close code of WebSocket; `meaning` says why the server closes, `advice` what a client does then."""

    meaning: str
    advice: str

    def __new__(cls, code: int, meaning: str, advice: str) -> Self:
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning, member.advice = meaning, advice
        return member

    MESSAGE_TOO_LARGE = (
        1009,
        "a frame of more than `PYRAMID_MAX_FRAME_BYTES`",
        "connect again and do not send that message; it is a mistake of the client",
    )
    RESTARTING = (1012, "the server is being restarted", "connect again at once, then with back-off")
    TRY_AGAIN_LATER = (1013, "the database does not answer", "connect again with back-off")
    NOT_SIGNED_IN = (
        4401,
        "no key, a wrong one, or one that has ended",
        "get a new ticket or token, then connect again, once",
    )
    NOT_YOURS = (
        4403,
        "another player's game that you may not watch yet, or a deal whose secrets you have seen",
        "do not connect again before its day is over",
    )
    NOT_FOUND = (4404, "no such game or board, or another player's game that has not begun", "do not connect again")
    IDLE = (
        4408,
        "nothing was received for `PYRAMID_IDLE_SECONDS`",
        "connect again when the player is back; `ping` now and then keeps a socket open",
    )
    SUPERSEDED = (
        4409,
        "another device of yours has taken the game over",
        "do not connect again by yourself, nor send anything again: let the player decide where to play on",
    )
    NOT_READING = (
        4410,
        "a message waited for you for `PYRAMID_UNREAD_SECONDS`",
        "connect again with back-off; the first message has everything that was missed",
    )
    TOO_MANY_MESSAGES = (
        4429,
        "sent on and on without waiting for answers, for `PYRAMID_FLOOD_SECONDS`",
        "connect again with back-off, and wait for each answer",
    )
    TOO_MANY_CONNECTIONS = (
        4430,
        "`PYRAMID_SOCKETS_PER_PLAYER` or `PYRAMID_SOCKETS_PER_ADDRESS` are open already",
        "close another socket, then connect again with back-off",
    )


class Closed(Exception):
    """The connection ends: with a code of ours, or with None because the client is gone."""

    def __init__(self, code: CloseCode | None) -> None:
        super().__init__(code)
        self.code = code
