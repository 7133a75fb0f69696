"""Bearer tokens: whose they are, remembered for seconds, and forgotten in all processes as soon as anything changes."""

from __future__ import annotations

from copy import copy
from functools import partial

from django.db import transaction
from django.utils import timezone
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.models import AuthToken

from games.kit.memory import Memory
from games.models.players import Player

MOST_TOKENS = 10_000

# The rows of tokens with their players, by hash; about each player.
_rows: Memory[AuthToken] = Memory("tokens", MOST_TOKENS)


def token_holder(token: str) -> Player | None:
    """Return the player whom a token belongs to, or None if it is wrong or has expired."""
    return _holder(token_row(token))


def known_holder(token: str) -> Player | None:
    """Return the player whom a token belongs to if that is remembered. Never waits."""
    return _holder(_rows.recall(hash_token(token)))


def holder_of_hash(digest: str) -> Player | None:
    """Return the player whom the token with a hash belongs to, or None if there is none or it has expired."""
    return _holder(_row(digest))


def token_row(token: str) -> AuthToken | None:
    """Return what is kept of a token, to be read only, or None if it is wrong or has expired."""
    if not (token.isascii() and token.isalnum()):
        return None
    return _row(hash_token(token))


def remember_token(row: AuthToken) -> None:
    """Remember a token that was just made, and its player, as soon as it is committed."""

    def remember() -> None:
        _rows.get(row.digest, lambda: row, _player_of)

    transaction.on_commit(remember)


def forget_tokens(player: int) -> None:
    """Have the database asked again about the tokens of a player, by primary key."""
    _rows.forget(player)


def _row(digest: str) -> AuthToken | None:
    return _rows.get(digest, partial(_read, digest), _player_of)


def _read(digest: str) -> AuthToken | None:
    # By its hash, which is the key of the row; the package would look through all tokens of the player each time.
    rows = AuthToken.objects.select_related("user").filter(digest=digest, expiry__gte=timezone.now())
    row: AuthToken | None = rows.first()
    if row is None or not row.user.is_active:
        return None
    TokenAuthentication().renew_token(row)
    return row


def _player_of(row: AuthToken) -> int:
    player: int = row.user_id
    return player


def _holder(row: AuthToken | None) -> Player | None:
    """Return the player of a token that is still good: a copy, since others see the row too."""
    return copy(row.user) if row is not None and row.expiry >= timezone.now() else None
