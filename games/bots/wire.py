from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from games.accounts.wire import NewHandle
from games.bots.bots import OwnedBot
from games.doors.wire import Input, JsonObject, Number
from games.players.wire import Name, Player, Time


class NewBotInput(Input, frozen=True):
    """A new bot of yours."""

    example: ClassVar = {"handle": "deep-thirteen", "display_name": "Deep Thirteen"}

    handle: NewHandle
    display_name: Annotated[Name | UnsetType, Meta(description="The handle, if it is left out.")] = UNSET


class OwnBot(JsonObject, frozen=True):
    """A bot of yours."""

    player: Player
    made_at: Time
    tokens: Annotated[Number, Meta(description="How many tokens it has that have not expired.")]

    @classmethod
    def of(cls, bot: OwnedBot) -> OwnBot:
        return cls(Player.of(bot.player), bot.player.date_joined, bot.tokens)


class OwnBots(JsonObject, frozen=True):
    """The bots that you own."""

    bots: Annotated[list[OwnBot], Meta(description="In the order in which they were made.")]
    most: Annotated[Number, Meta(description="How many you may own.")]
