"""The types of all messages on the socket of a race."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from games.doors import wire
from games.doors.scopes import Scope
from games.doors.wire import FromClient, Message, Number
from games.players.wire import Id
from games.races.wire import Race, Racer, Time

RefusalCode = Literal[
    "bad_message",
    "bots_not_admitted",
    "message_too_large",
    "missing_scope",
    "no_certified_deal",
    "not_in_circle",
    "not_certifiable",
    "not_host",
    "not_in_race",
    "not_signed_in",
    "race_full",
    "race_not_over",
    "race_started",
    "too_few_racers",
    "too_many_races",
    "too_many_requests",
    "unavailable",
    "unknown_race",
]


class Start(FromClient, frozen=True):
    """Begin the countdown (host only)."""


class Leave(FromClient, frozen=True):
    """Leave the room; in a running race, give up the game."""


class Rematch(FromClient, frozen=True):
    """Race again on the same terms and a new deal: open the room of the rematch, or enter it if it is open."""


class Ping(FromClient, frozen=True):
    """Ask whether the connection is alive."""


ClientMessage = Start | Leave | Rematch | Ping


class Room(Message, frozen=True):
    """The room with all its racers: sent first, and whenever anything but the racers' figures has changed."""

    server_now: Annotated[Time, Meta(description="The time by the server's clock, as all times here.")]
    race: Race


class Standings(Message, frozen=True):
    """The racers whose figures have changed, at most four times a second."""

    racers: list[Racer]


class Done(Message, frozen=True):
    """A command was carried out; `race` is the id of the race, or after `rematch` that of the new one."""

    id: Number
    race: Id


class Refused(Message, frozen=True):
    """Nothing was changed. `id` is null if the message had no readable one."""

    id: Number | None
    code: RefusalCode
    message: str
    scope: Annotated[
        Scope | UnsetType,
        Meta(description="The scope that the token lacks, with `missing_scope`."),
    ] = UNSET


class Pong(Message, frozen=True):
    """The answer to a ping."""

    id: Number
    server_now: Time


ServerMessage = Room | Standings | Done | Refused | Pong

_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)


def read(frame: str) -> ClientMessage:
    """Read a client's message. Raises `BadMessage`."""
    return wire.read(_decoder, frame)
