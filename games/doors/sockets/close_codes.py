"""The close codes of the server, as listed in docs/live-protocol.md."""

from enum import IntEnum
from typing import Self


class CloseCode(IntEnum):
    """A WebSocket close code; `meaning` says why the server closes, `advice` what a client should do then."""

    meaning: str
    advice: str

    def __new__(cls, code: int, meaning: str, advice: str) -> Self:
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning, member.advice = meaning, advice
        return member

    MESSAGE_TOO_LARGE = (
        1009,
        "a frame of more than 4096 bytes",
        "connect again, and fix the client: it must not send that message",
    )
    RESTARTING = (
        1012,
        "the server is being restarted",
        "connect again after the time that the reason names, at once without one; then with back-off",
    )
    TRY_AGAIN_LATER = (
        1013,
        "the database does not answer, the server has failed or its clock is wrong, or it has no room for more sockets",
        "connect again after the time that the reason names, or else with back-off",
    )
    NOT_SIGNED_IN = (
        4401,
        "no key, or one that is invalid or has expired",
        "get a new ticket or token, then connect again, once",
    )
    NOT_YOURS = (
        4403,
        "a game of another player that you may not watch yet, or a deal whose secrets you have seen",
        "do not connect again before its day or race is over",
    )
    NOT_FOUND = (
        4404,
        "no such game, board or race; a game of another player that has not begun; or a race that you are not in",
        "do not connect again",
    )
    MISSING_SCOPE = (
        4406,
        "the token lacks the scope that the reason names, such as `scope=play`",
        "do not connect again with this token; ask the player for one that has the scope",
    )
    IDLE = (
        4408,
        "nothing was received for 15 minutes",
        "connect again when the player is back; send `ping` from time to time to keep a socket open",
    )
    SUPERSEDED = (
        4409,
        "another device of yours has taken over the game",
        "do not reconnect or resend automatically: let the player decide where to continue",
    )
    NOT_READING = (
        4410,
        "a message to the client was not read for 20 seconds",
        "connect again with back-off; the first message contains everything that was missed",
    )
    TOO_MANY_MESSAGES = (
        4429,
        "the client kept sending without waiting for answers for 60 seconds",
        "connect again with back-off, and wait for each answer",
    )
    TOO_MANY_CONNECTIONS = (
        4430,
        (
            "more sockets than `PYRAMID_SOCKETS_PER_PLAYER` or `PYRAMID_SOCKETS_PER_ADDRESS`, "
            "or too many opened in a minute"
        ),
        "close another socket, then connect again with back-off",
    )


class Closed(Exception):
    """The connection ends: with one of our codes, or with None because the client is gone.

    `wait_seconds` is how long the client is to wait before it connects again; 0: whatever it thinks fit. A `reason` is
    for its program.
    """

    def __init__(self, code: CloseCode | None, wait_seconds: float = 0.0, reason: str = "") -> None:
        super().__init__(code)
        self.code, self.wait_seconds, self.reason = code, wait_seconds, reason


def reason_to_wait(seconds: float) -> str:
    """Return the reason of a close frame that asks a client to wait before it connects again."""
    return f"retry_after_ms={round(seconds * 1000)}" if seconds else ""
