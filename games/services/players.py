"""Create guests, and issue tokens."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from knox.models import AuthToken

from games.errors import SignInFailed
from games.kit.tokens import remember_token
from games.models import Player, TokenName, new_id
from games.services.names import give_name


class SignedIn(NamedTuple):
    """A player and a new token, the only key of a guest; each use of a token extends its life."""

    player: Player
    token: str
    expires_at: datetime


def create_guest(display_name: str = "", *, is_bot: bool = False) -> SignedIn:
    """Create a guest with a token. Raises `NameReserved`."""
    with transaction.atomic():
        return _new_token(new_guest(display_name, is_bot=is_bot))


def new_guest(display_name: str = "", *, is_bot: bool = False) -> Player:
    """Create a guest without a token. Raises `NameReserved`."""
    handle = f"guest-{new_id()}"
    player = Player(username=handle, display_name=f"Guest {handle[-4:]}", is_guest=True, is_bot=is_bot)
    if display_name:
        give_name(player, display_name)
    player.set_unusable_password()
    player.save()
    return player


@transaction.atomic
def issue_token(player: Player, name: str = "") -> SignedIn:
    """Issue another token for a player.

    Raises `SignInFailed` if all keys of the player have ended since it was read, such as with its password: the row is
    locked, so that no key which is made at that moment stays.
    """
    unchanged = Player.objects.filter(pk=player.pk, key_epoch=player.key_epoch, is_active=True)
    if not list(unchanged.select_for_update(no_key=True).values_list("pk")):
        raise SignInFailed("all keys of this account ended at the same moment")
    return _new_token(player, name)


def _new_token(player: Player, name: str = "") -> SignedIn:
    row, token = AuthToken.objects.create(player)
    if name:
        TokenName.objects.create(token=row, name=name)
    remember_token(row)
    return SignedIn(player, token, row.expiry)
