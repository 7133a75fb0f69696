"""Every message of `/ws/cups/{id}/{division}/` as a type. The server sends; clients only listen, or ping."""

from typing import Annotated

from msgspec import Meta

from games.cups.wire import Cup
from games.doors.sockets import pings
from games.doors.wire import JsonObject, Message, Number
from games.players.wire import Handle, Id

Ping = pings.Ping
Refused = pings.Refused
read = pings.read


class CardsLeft(JsonObject, frozen=True):
    """The cards that an entrant of a running match has left."""

    race: Annotated[Id, Meta(description="That of the match.")]
    handle: Handle
    cards_left: Number


class Bracket(Message, frozen=True):
    """The cup with its division, as over REST: sent first, and whenever more than cards left has changed."""

    cup: Cup


class Progress(Message, frozen=True):
    """The entrants who have removed cards since the last message, never with a card."""

    seats: list[CardsLeft]


class Pong(Message, frozen=True):
    """The answer to a ping."""

    id: Number


ServerMessage = Bracket | Progress | Refused | Pong
