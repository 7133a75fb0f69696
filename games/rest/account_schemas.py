"""Answers of the REST API about accounts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from msgspec import Meta

from games.kit.wire import JsonObject
from games.models import DataExport
from games.models import Player as PlayerRow
from games.services.bots import OwnBot as FoundBot
from games.services.keys import Key as OwnKey
from games.services.players import SignedIn as NewKey

Time = Annotated[datetime, Meta(tz=True)]


class Player(JsonObject, frozen=True):
    """A player."""

    handle: Annotated[
        str, Meta(description="The name in addresses and records; a guest chooses it once, by claiming the account.")
    ]
    display_name: str
    is_guest: bool
    is_bot: Annotated[bool, Meta(description="Plays by program and says so.")]

    @classmethod
    def of(cls, row: PlayerRow) -> Player:
        return cls(row.username, row.display_name, row.is_guest, row.is_bot)


class SignedIn(JsonObject, frozen=True):
    """A player and a new key."""

    player: Player
    token: Annotated[str, Meta(description="A key to this account, for a guest the only one; it is shown this once.")]
    expires_at: Annotated[Time, Meta(description="When the token ends unless it is used before.")]

    @classmethod
    def of(cls, signed_in: NewKey) -> SignedIn:
        return cls(Player.of(signed_in.player), signed_in.token, signed_in.expires_at)


class Key(JsonObject, frozen=True):
    """A browser session or a token."""

    id: Annotated[str, Meta(description="To end it by. It gives no access.")]
    kind: Literal["session", "token"]
    name: Annotated[str, Meta(description="What you called the token; empty if nothing.")]
    created_at: Time
    last_used_at: Annotated[Time, Meta(description="Of a token correct to an hour, of a session to a day.")]
    expires_at: Annotated[Time, Meta(description="When it ends unless it is used before.")]
    is_current: Annotated[bool, Meta(description="This request was sent with it.")]


class Keys(JsonObject, frozen=True):
    """The sessions and tokens that open an account."""

    keys: Annotated[list[Key], Meta(description="The last used first.")]

    @classmethod
    def of(cls, keys: list[OwnKey], current: str) -> Keys:
        fields = [field for field in Key.__struct_fields__ if field != "is_current"]
        return cls(
            [Key(**{field: getattr(key, field) for field in fields}, is_current=key.key == current) for key in keys]
        )


class OwnBot(JsonObject, frozen=True):
    """A bot of yours."""

    player: Player
    made_at: Time
    tokens: Annotated[int, Meta(description="How many tokens it has that have not expired.")]

    @classmethod
    def of(cls, bot: FoundBot) -> OwnBot:
        return cls(Player.of(bot.player), bot.player.date_joined, bot.tokens)


class OwnBots(JsonObject, frozen=True):
    """The bots that you own."""

    bots: Annotated[list[OwnBot], Meta(description="In the order in which they were made.")]
    most: Annotated[int, Meta(description="How many you may own.")]


class Export(JsonObject, frozen=True):
    """The progress of the copy of your data."""

    state: Literal["pending", "done", "failed"]
    done: Annotated[int, Meta(description="How many of your games are in it.")]
    total: Annotated[int, Meta(description="Of how many; 0 before the work has begun.")]
    requested_at: Time
    finished_at: Time | None
    removed_at: Annotated[Time | None, Meta(description="Until when it can be downloaded.")]

    @classmethod
    def of(cls, row: DataExport) -> Export:
        removed_at = row.finished_at + timedelta(days=DataExport.DAYS_KEPT) if row.finished_at else None
        state: Any = row.state
        return cls(state, row.done, row.total, row.requested_at, row.finished_at, removed_at)


class MailSent(JsonObject, frozen=True):
    """The answer to a request for a mail."""

    is_sent: Annotated[bool, Meta(description="A mail is on its way, if there is someone to get it.")]


class ClaimLink(JsonObject, frozen=True):
    """A link with which a browser takes over a guest."""

    url: Annotated[str, Meta(description="To be opened by its owner alone. It ends with the claim.")]
    expires_in: Annotated[int, Meta(description="Seconds.")]


class Deleted(JsonObject, frozen=True):
    """The remains of a deleted account."""

    handle: Annotated[str, Meta(description="The made-up handle under which the ranked games stay.")]


class Ticket(JsonObject, frozen=True):
    """A key that opens sockets."""

    ticket: Annotated[str, Meta(description="Opens sockets: `/ws/games/{id}/?ticket=...`.")]
    expires_in: Annotated[int, Meta(description="Seconds.")]


class SignedOut(JsonObject, frozen=True):
    """The tokens that have ended."""

    tokens: Annotated[int, Meta(description="How many tokens ended.")]
