"""Why the server ends a connection: a code each. docs/live-protocol.md lists them."""

from __future__ import annotations

from enum import IntEnum


class CloseCode(IntEnum):
    MESSAGE_TOO_LARGE = 1009
    RESTARTING = 1012
    TRY_AGAIN_LATER = 1013
    NOT_SIGNED_IN = 4401
    NOT_YOURS = 4403
    NOT_FOUND = 4404
    IDLE = 4408
    SUPERSEDED = 4409
    NOT_READING = 4410
    TOO_MANY_MESSAGES = 4429
    TOO_MANY_CONNECTIONS = 4430


class Closed(Exception):
    """The connection ends: with a code of ours, or with None because the client is gone."""

    def __init__(self, code: CloseCode | None) -> None:
        super().__init__(code)
        self.code = code
