"""The types of all messages on the socket of a streak or a storm."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from games.doors import wire
from games.doors.wire import FromClient, Message, Number
from games.puzzles.wire import JudgedState, PuzzleNumber, Removals, Run, RunSolution, Time

RefusalCode = Literal[
    "bad_message",
    "message_too_large",
    "not_a_removal",
    "run_over",
    "stale_puzzle",
    "unavailable",
    "unknown_run",
]


class Remove(FromClient, frozen=True):
    """Make a removal in the puzzle that the run shows; send it again if it was not answered."""

    number: PuzzleNumber
    moves: Removals


class Look(FromClient, frozen=True):
    """Ask how the run stands: when the time of a storm is up, or it went on in another tab."""


class End(FromClient, frozen=True):
    """End the run as it is. Doing so again changes nothing."""


class Ping(FromClient, frozen=True):
    """Ask whether the connection is alive."""


ClientMessage = Remove | Look | End | Ping


class Shown(Message, frozen=True):
    """The run with the puzzle that it shows: the answer to `look` and `end`.

    With no `id` it is the first message, and follows a refusal that means that the run has gone on elsewhere.
    """

    id: Number | None
    run: Run


class Judged(Message, frozen=True):
    """The verdict on a removal, and how the run stands now."""

    id: Number
    state: JudgedState
    mistake: Annotated[RunSolution | None, Meta(description="Once a mistake has ended a streak.")]
    run: Run


class Refused(Message, frozen=True):
    """Nothing was changed. `id` is null if the message had no readable one."""

    id: Number | None
    code: RefusalCode
    message: str


class Pong(Message, frozen=True):
    """The answer to a ping."""

    id: Number
    server_now: Time


ServerMessage = Shown | Judged | Refused | Pong

_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)


def read(frame: str) -> ClientMessage:
    """Read a client's message. Raises `BadMessage`."""
    return wire.read(_decoder, frame)
