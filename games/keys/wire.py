from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from games.doors.scopes import Scope, Scopes, in_order
from games.doors.wire import Input, JsonObject, Number
from games.keys import tokens
from games.keys.keys import AccountKey
from games.players.lookalikes import LONGEST_NAME
from games.players.wire import Name, Player, Time


class NewTokenInput(Input, frozen=True):
    """A token to be made."""

    example: ClassVar = {"name": "My bot", "scopes": ["read", "play"]}

    name: Annotated[Name, Meta(description="For you, to know it by.")]
    scopes: Annotated[
        Annotated[list[Scope], Meta(min_length=1)] | UnsetType,
        Meta(description="What the token may be used for, of what yours may; without `scopes`, for all of that."),
    ] = UNSET

    @property
    def granted(self) -> Scopes | None:
        return None if self.scopes is UNSET else frozenset(self.scopes)


class SignedIn(JsonObject, frozen=True):
    """A player and a new key."""

    player: Player
    token: Annotated[
        str,
        Meta(
            pattern="^[0-9a-f]{64}$",
            description="A key to this account, for a guest the only one; it is shown this once.",
        ),
    ]
    expires_at: Annotated[Time, Meta(description="When the token ends unless it is used before.")]

    @classmethod
    def of(cls, signed_in: tokens.SignedIn) -> SignedIn:
        return cls(Player.of(signed_in.player), signed_in.token, signed_in.expires_at)


class Key(JsonObject, frozen=True):
    """A browser session or a token."""

    id: Annotated[str, Meta(pattern="^[0-9a-f]{16}$", description="To end it by. It gives no access.")]
    kind: Literal["session", "token"]
    name: Annotated[str, Meta(max_length=LONGEST_NAME, description="What you called the token; empty if nothing.")]
    created_at: Time
    last_used_at: Annotated[Time, Meta(description="Of a token correct to an hour, of a session to a day.")]
    expires_at: Annotated[Time, Meta(description="When it ends unless it is used before.")]
    scopes: Annotated[list[Scope], Meta(description="What it may be used for.")]
    is_current: Annotated[bool, Meta(description="This request was sent with it.")]


class Keys(JsonObject, frozen=True):
    """The sessions and tokens that open an account."""

    keys: Annotated[list[Key], Meta(description="The last used first.")]

    @classmethod
    def of(cls, keys: list[AccountKey], current: str) -> Keys:
        return cls([Key(*key[:-2], in_order(key.scopes), is_current=key.key == current) for key in keys])


class SignedOut(JsonObject, frozen=True):
    """The tokens that have ended."""

    tokens: Annotated[Number, Meta(description="How many tokens ended.")]
