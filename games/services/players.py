"""New accounts and the tokens that open them."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from knox.models import AuthToken

from games.kit.tokens import remember_token
from games.models import Player, new_id
from games.services.names import give_name


class SignedIn(NamedTuple):
    """A player and a new token, for a guest the only key; each use of the token puts its end off."""

    player: Player
    token: str
    expires_at: datetime


def create_guest(display_name: str = "", *, is_bot: bool = False) -> SignedIn:
    """Create a guest with a token. Raises `NameReserved`."""
    with transaction.atomic():
        return issue_token(new_guest(display_name, is_bot=is_bot))


def new_guest(display_name: str = "", *, is_bot: bool = False) -> Player:
    """Create a guest that nobody has a key to yet. Raises `NameReserved`."""
    handle = f"guest-{new_id()}"
    player = Player(username=handle, display_name=f"Guest {handle[-4:]}", is_guest=True, is_bot=is_bot)
    if display_name:
        give_name(player, display_name)
    player.set_unusable_password()
    player.save()
    return player


def issue_token(player: Player) -> SignedIn:
    """Return a new token of a player beside those that there are."""
    row, token = AuthToken.objects.create(player)
    remember_token(row)
    return SignedIn(player, token, row.expiry)
