"""The errors of the client."""

from __future__ import annotations


class PyramidError(Exception):
    """An error of this package; all others are its children."""


class Refused(PyramidError):
    """The server refused a request, and nothing was changed. `code` is stable, the text is for people.

    `game` is the attempt that exists, with `already_attempted`; `retry_after` the seconds to wait, if the server
    said so.
    """

    def __init__(self, code: str, message: str, *, game: str | None = None, retry_after: float | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.game = game
        self.retry_after = retry_after


class Unreachable(PyramidError):
    """No server answered, however often it was tried."""


class Closed(PyramidError):
    """The server closed the socket, and connecting again would not help: docs/live-protocol.md lists the codes."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the server closed the connection with the code {code}")
        self.code = code


class Superseded(Closed):
    """Another device of the player has taken over the game, so a person has to decide where it continues."""
