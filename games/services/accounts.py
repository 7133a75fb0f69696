"""Named accounts: claim one, sign in and out, change the display name."""

from __future__ import annotations

import re
from datetime import datetime
from hashlib import sha256

from django.contrib.auth import authenticate
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from knox.models import AuthToken

from games.errors import AlreadyClaimed, BadHandle, HandleReserved, HandleTaken, SignInFailed, WeakPassword
from games.kit.authentication import key_of_session, key_of_token, revoke
from games.kit.tokens import forget_tokens, token_row
from games.models import Player
from games.services.players import SignedIn, issue_token, new_guest
from games.services.throttling import count_attempt

HANDLE = re.compile(r"[a-z0-9](?:-?[a-z0-9]){2,31}", re.ASCII)
LONGEST_HANDLE = 32
LONGEST_PASSWORD = 128
SIGN_IN = "sign_in"
RESERVED = frozenset(
    [
        *("admin", "administrator", "moderator", "official", "pyramid", "root", "server", "staff", "support", "system"),
        *("anonymous", "api", "bot", "everyone", "following", "guest", "help", "me", "nobody"),
    ]
)


def claim(player: Player, handle: str, display_name: str | None, password: str, now: datetime) -> Player:
    """Turn a guest into a named account, keeping all games and tokens, and the display name unless a new one is given.

    Raises `AlreadyClaimed`, `BadHandle`, `HandleReserved`, `HandleTaken` or `WeakPassword`.
    """
    _require_good_handle(handle)
    name = display_name or player.display_name
    _require_good_password(password, Player(username=handle, display_name=name))
    fields = {"username": handle, "display_name": name, "is_guest": False, "claimed_at": now}
    try:
        with transaction.atomic():
            guest = Player.objects.filter(pk=player.pk, is_guest=True)
            if not guest.update(**fields, password=make_password(password)):
                raise AlreadyClaimed(f"this account is already named {player.username}")
    except IntegrityError as error:
        raise HandleTaken(f"the handle {handle!r} is taken") from error
    forget_tokens(player.pk)
    player.refresh_from_db()
    return player


def create_account(handle: str, display_name: str, password: str, now: datetime) -> Player:
    """Create a named account. Raises what `claim` raises, with nothing created."""
    with transaction.atomic():
        return claim(new_guest(display_name), handle, display_name, password, now)


def require_password(handle: str, password: str, address: str) -> Player:
    """Return the player with this handle and password.

    Attempts are counted per network address and per handle. Raises `Throttled`, or `SignInFailed`, with the same text
    for a wrong password and for an unknown handle, so that nobody can find out which handles exist.
    """
    count_attempt(SIGN_IN, address)
    count_attempt(SIGN_IN, sha256(handle.encode()).hexdigest())
    player = authenticate(username=handle, password=password)
    if not isinstance(player, Player):
        raise SignInFailed("wrong handle or password")
    return player


def sign_in(handle: str, password: str, address: str) -> SignedIn:
    """Return a new token of a named account. Raises what `require_password` raises."""
    return issue_token(require_password(handle, password, address))


def sign_out(player: Player, token: str | None, *, everywhere: bool = False) -> int:
    """Revoke a token, or with `everywhere` all tokens of the player, and return how many.

    Sockets that were opened with them are closed.
    """
    tokens = AuthToken.objects.filter(user=player)
    if not everywhere:
        row = token_row(token) if token else None
        tokens = tokens.filter(pk=row.pk if row else None)
    ended: int = tokens.delete()[0]
    if everywhere:
        revoke(player)
    elif token:
        revoke(player, key_of_token(token))
    return ended


def forget_expired_tokens(now: datetime) -> int:
    """Delete the tokens that have expired, and return how many."""
    ended: int = AuthToken.objects.filter(expiry__lt=now).delete()[0]
    return ended


def end_session(player: Player, session_key: str) -> None:
    """Close the sockets of a browser session that has ended."""
    revoke(player, key_of_session(session_key))


def rename(player: Player, display_name: str) -> Player:
    """Change the display name; the handle stays."""
    player.display_name = display_name
    player.save(update_fields=["display_name"])
    return player


def _require_good_handle(handle: str) -> None:
    if len(handle) > LONGEST_HANDLE or not HANDLE.fullmatch(handle):
        raise BadHandle("a handle is 3 to 32 lower-case letters and digits, with single hyphens between them")
    if handle.partition("-")[0] in RESERVED:
        raise HandleReserved(f"the handle {handle!r} is reserved")


def _require_good_password(password: str, player: Player) -> None:
    try:
        validate_password(password, player)
    except ValidationError as error:
        raise WeakPassword(" ".join(error.messages)) from error
