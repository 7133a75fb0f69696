"""Every message of `/ws/games/{id}/` as a type. docs/live-protocol.md is checked against this file."""

from __future__ import annotations

from typing import Annotated

import msgspec

from games.errors import BadMessage

Number = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Milliseconds = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
MoveText = Annotated[str, msgspec.Meta(max_length=16)]


class Message(msgspec.Struct, tag_field="type", tag=str.lower, frozen=True):
    """A JSON object whose `type` is the name of its class in lower case."""


class FromClient(Message, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A question or command; `id` is the client's own number and comes back with the answer."""

    id: Number


class Play(FromClient, frozen=True):
    """Make a move chosen at a version."""

    version: Number
    move: MoveText
    client_ms: Milliseconds | None = None


class Undo(FromClient, frozen=True):
    """Take back the last move that stands."""

    version: Number
    client_ms: Milliseconds | None = None


class Redo(FromClient, frozen=True):
    """Make the move again that was taken back last."""

    version: Number
    client_ms: Milliseconds | None = None


class Hint(FromClient, frozen=True):
    """Ask for the best move (practice only)."""

    version: Number
    client_ms: Milliseconds | None = None


class Resign(FromClient, frozen=True):
    """Give up."""

    version: Number


class Restart(FromClient, frozen=True):
    """Start the same deal as a new game (practice only)."""


class Sync(FromClient, frozen=True):
    """Ask what happened since a version."""

    version: Number


class Ping(FromClient, frozen=True):
    """Ask for a sign of life."""


Act = Play | Undo | Redo | Hint
Command = Act | Resign
ClientMessage = Play | Undo | Redo | Hint | Resign | Restart | Sync | Ping


class State(Message, frozen=True):
    """The whole game as the player may know it: first message, and wherever client and server disagree."""

    game: str
    version: int
    rules: str
    position: str
    legal: list[str]
    moves: int
    elapsed_ms: int
    outcome: str | None
    result: str


class Played(Message, frozen=True):
    """An action is durable. `revealed` are the cards it turned up, `legal` the moves that follow.

    `id` is null for those who watch.
    """

    id: int | None
    version: int
    move: str
    revealed: list[str]
    legal: list[str]
    moves: int
    at_ms: int
    outcome: str | None


class Refused(Message, frozen=True):
    """Nothing was changed. `id` is null where the message had none that could be read."""

    id: int | None
    code: str
    message: str
    version: int | None


class Missed(Message, frozen=True):
    """The actions since the version asked for, each with its time, and the cards they turned up, in order."""

    id: int
    version: int
    actions: str
    revealed: list[str]
    legal: list[str]
    moves: int
    outcome: str | None


class Hinted(Message, frozen=True):
    """The best move, null if there is none, and why; `is_exact` once every card was seen."""

    id: int
    version: int
    move: str | None
    reason: str
    is_exact: bool


class Unwinnable(Message, frozen=True):
    """The game cannot be won any more, whatever the unseen cards are; `since` is the last version it could."""

    version: int
    since: int | None


class Finished(Message, frozen=True):
    """The game has ended."""

    version: int
    result: str
    moves: int
    elapsed_ms: int
    cards_left: int


class Restarted(Message, frozen=True):
    """The deal goes on as a new game, on a socket of its own."""

    id: int
    game: str


class Superseded(Message, frozen=True):
    """Another device of the player has taken the game over; this connection is closed."""


class Pong(Message, frozen=True):
    """A sign of life, with the time on the game's clock."""

    id: int
    elapsed_ms: int


ServerMessage = State | Played | Refused | Missed | Hinted | Unwinnable | Finished | Restarted | Superseded | Pong


class _Numbered(msgspec.Struct):
    id: Number | None = None


_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_number_decoder = msgspec.json.Decoder(_Numbered)
_encoder = msgspec.json.Encoder()


def read(frame: str) -> ClientMessage:
    """Read a client's message. Raises `BadMessage`."""
    try:
        return _decoder.decode(frame)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadMessage(str(error)) from error


def read_id(frame: str | None) -> int | None:
    """Return the number of a message, even of a bad one where it can be made out."""
    if frame is None:
        return None
    try:
        return _number_decoder.decode(frame).id
    except (msgspec.DecodeError, RecursionError):
        return None


def write(message: ServerMessage) -> str:
    return _encoder.encode(message).decode()
