"""Accounts and the keys to them."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.core import signing
from knox.auth import TokenAuthentication
from knox.models import AuthToken
from rest_framework.exceptions import AuthenticationFailed

from games.models import Player, new_id

_TICKET_SALT = "games.ticket"


class SignedIn(NamedTuple):
    """A player and a new token, for a guest the only key; each use of the token puts its end off."""

    player: Player
    token: str
    expires_at: datetime


def create_guest(display_name: str = "", *, is_bot: bool = False) -> SignedIn:
    """Create a guest with a token."""
    return issue_token(new_guest(display_name, is_bot=is_bot))


def new_guest(display_name: str = "", *, is_bot: bool = False) -> Player:
    """Create a guest that nobody has a key to yet."""
    handle = f"guest-{new_id()}"
    player = Player(username=handle, display_name=display_name or f"Guest {handle[-4:]}", is_guest=True, is_bot=is_bot)
    player.set_unusable_password()
    player.save()
    return player


def issue_token(player: Player) -> SignedIn:
    """Return a new token of a player beside those that there are."""
    row, token = AuthToken.objects.create(player)
    return SignedIn(player, token, row.expiry)


def token_holder(token: str) -> Player | None:
    """Return the player whom a token belongs to, or None if it is wrong or has expired."""
    row = token_row(token)
    return row.user if row is not None else None


def token_row(token: str) -> AuthToken | None:
    """Return what is kept of a token, or None if it is wrong or has expired."""
    if not (token.isascii() and token.isalnum()):
        return None
    try:
        return TokenAuthentication().authenticate_credentials(token.encode())[1]
    except AuthenticationFailed:
        return None


def issue_ticket(player: Player) -> str:
    """Return a signed text that opens sockets for the player for `PYRAMID_TICKET_SECONDS`."""
    return signing.dumps(player.pk, salt=_TICKET_SALT)


def ticket_holder(ticket: str) -> Player | None:
    """Return the player whom a ticket was issued to, or None if it is forged or too old."""
    try:
        pk = signing.loads(ticket, salt=_TICKET_SALT, max_age=settings.PYRAMID_TICKET_SECONDS)
    except signing.BadSignature:
        return None
    return Player.objects.filter(pk=pk, is_active=True).first()
