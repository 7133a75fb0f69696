"""Bearer tokens: issue them, and find their players.

The rows are cached for seconds, and invalidated in all processes as soon as anything changes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from knox.models import AuthToken, get_digest_token
from knox.settings import CONSTANTS, knox_settings

from games.doors.scopes import EVERYTHING, Scopes, scopes_in, text_of
from games.keys.models import TokenTerms
from games.keys.refusals import SignInFailed
from games.players.models import Player
from games.runtime.clock import clock
from games.runtime.gathering import CROWD_LINGERS_S, Gathering
from games.runtime.memory import Memory
from games.runtime.per_loop import PerLoop

MOST_TOKENS = 10_000

# The rows of tokens with their players, by hash; about each player.
_rows: Memory[AuthToken] = Memory("tokens", MOST_TOKENS)


class SignedIn(NamedTuple):
    """A player and a new token, the only key of a guest; each use of a token extends its life."""

    player: Player
    token: str
    expires_at: datetime


class Allowance(NamedTuple):
    """The grant of an app, by primary key, and how long a token lasts that it gets for this."""

    grant: int
    lasts: timedelta = knox_settings.TOKEN_TTL


@transaction.atomic
def issue_token(
    player: Player, name: str = "", scopes: Scopes | None = None, allowance: Allowance | None = None
) -> SignedIn:
    """Issue another token for a player, which ends with what an app was allowed. Raises what `locked` raises.

    A player who came in with a token gets by default one with the same scopes, and none that outlasts what an app was
    allowed, through however many of them.
    """
    locked(player)
    scopes = player.scopes if scopes is None else scopes
    if allowance is None and player.allowance is not None:
        allowance = Allowance(player.allowance)
    row, token = unsaved_token(player)
    if allowance:
        row.expiry = clock.now() + allowance.lasts
    row.save()
    if name or scopes != EVERYTHING or allowance:
        grant = allowance.grant if allowance else None
        TokenTerms.objects.create(token=row, name=name, scopes=text_of(scopes), grant_id=grant)
        row.scopes, row.allowance = scopes, grant
    remember_token(row)
    return SignedIn(player, token, row.expiry)


def locked(player: Player) -> Player:
    """Return a player as stored now, and lock the row.

    Raises `SignInFailed` if all keys of the player have ended since it was read, such as with its password: no key that
    is made at that moment stays.
    """
    unchanged = Player.objects.filter(pk=player.pk, key_epoch=player.key_epoch, is_active=True)
    stored = unchanged.select_for_update(no_key=True).first()
    if stored is None:
        raise SignInFailed("all keys of this account ended at the same moment")
    return stored


def unsaved_token(player: Player) -> tuple[AuthToken, str]:
    """Return the row of a new token, to be saved by the caller, and the token itself."""
    digest, token = get_digest_token()
    expiry = clock.now() + knox_settings.TOKEN_TTL
    row = AuthToken(digest=digest, token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH], user=player, expiry=expiry)
    row.scopes, row.allowance = EVERYTHING, None
    return row, token


def token_holder(token: str) -> Player | None:
    """Return the player who owns a token, or None if it is invalid or has expired."""
    return _holder(token_row(token))


def known_holder(token: str) -> Player | None:
    """Return the player who owns a token if that is cached. Never blocks."""
    return _holder(_rows.recall(hash_token(token)))


async def awaited_holder(token: str) -> Player | None:
    """Return the player who owns a token, who is looked up together with all others that sockets wait for."""
    return await _holders().get(token)


def token_holders(tokens: Sequence[str]) -> list[Player | None]:
    """Return the player who owns each token, or None if it is invalid or has expired."""
    digests = [_digest_of(token) for token in tokens]
    rows = _rows.get_all({digest for digest in digests if digest}, _read, _player_of)
    return [_holder(rows.get(digest)) for digest in digests]


_holders = PerLoop(lambda: Gathering(token_holders, lingers_s=CROWD_LINGERS_S))


def holder_of_hash(digest: str) -> Player | None:
    """Return the player who owns the token with a hash, or None if there is none or it has expired."""
    return _holder(_row(digest))


def token_row(token: str) -> AuthToken | None:
    """Return the row of a token, not to be changed, or None if it is invalid or has expired."""
    digest = _digest_of(token)
    return _row(digest) if digest else None


def remember_token(row: AuthToken) -> None:
    """Cache a new token with its player as soon as it is committed."""

    def remember() -> None:
        _rows.get(row.digest, lambda: row, _player_of)

    transaction.on_commit(remember)


def forget_tokens(player: int) -> None:
    """Invalidate the cached tokens of a player, given by primary key."""
    _rows.forget(player)


def _digest_of(token: str) -> str:
    """Return the hash of a token; empty for what cannot be one, so that nothing is asked for it."""
    return hash_token(token) if token.isascii() and token.isalnum() else ""


def _row(digest: str) -> AuthToken | None:
    return _rows.get_all([digest], _read, _player_of).get(digest)


def _read(digests: Collection[str]) -> dict[str, AuthToken]:
    # By their hash, the primary key: knox itself would look through all tokens of the player on every request.
    valid = AuthToken.objects.filter(digest__in=digests, expiry__gte=clock.now(), user__is_active=True)
    rows = list(valid.select_related("user", "terms"))
    for row in rows:
        terms: TokenTerms | None = getattr(row, "terms", None)
        row.scopes = scopes_in(terms.scopes) if terms else EVERYTHING
        row.allowance = terms.grant_id if terms else None
        if row.allowance is None:
            TokenAuthentication().renew_token(row)
    return {row.digest: row for row in rows}


def _player_of(row: AuthToken) -> int:
    player: int = row.user_id
    return player


def _holder(row: AuthToken | None) -> Player | None:
    """Return a copy of the player of a token that is still valid, with its scopes; the cached row is shared."""
    if row is None or row.expiry < clock.now():
        return None
    holder: Player = copy(row.user)
    holder.scopes, holder.allowance = row.scopes, row.allowance
    return holder
