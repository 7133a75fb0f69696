"""Bearer tokens and their players, cached for seconds and invalidated in all processes as soon as anything changes."""

from __future__ import annotations

from copy import copy
from functools import partial

from django.db import transaction
from django.utils import timezone
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.models import AuthToken

from games.players.models import Player
from games.runtime.memory import Memory

MOST_TOKENS = 10_000

# The rows of tokens with their players, by hash; about each player.
_rows: Memory[AuthToken] = Memory("tokens", MOST_TOKENS)


def token_holder(token: str) -> Player | None:
    """Return the player who owns a token, or None if it is invalid or has expired."""
    return _holder(token_row(token))


def known_holder(token: str) -> Player | None:
    """Return the player who owns a token if that is cached. Never blocks."""
    return _holder(_rows.recall(hash_token(token)))


def holder_of_hash(digest: str) -> Player | None:
    """Return the player who owns the token with a hash, or None if there is none or it has expired."""
    return _holder(_row(digest))


def token_row(token: str) -> AuthToken | None:
    """Return the row of a token, not to be changed, or None if it is invalid or has expired."""
    if not (token.isascii() and token.isalnum()):
        return None
    return _row(hash_token(token))


def remember_token(row: AuthToken) -> None:
    """Cache a new token with its player as soon as it is committed."""

    def remember() -> None:
        _rows.get(row.digest, lambda: row, _player_of)

    transaction.on_commit(remember)


def forget_tokens(player: int) -> None:
    """Invalidate the cached tokens of a player, given by primary key."""
    _rows.forget(player)


def _row(digest: str) -> AuthToken | None:
    return _rows.get(digest, partial(_read, digest), _player_of)


def _read(digest: str) -> AuthToken | None:
    # By its hash, the primary key: knox itself would look through all tokens of the player on every request.
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
    """Return a copy of the player of a token that is still valid; a copy, because the cached row is shared."""
    return copy(row.user) if row is not None and row.expiry >= timezone.now() else None
