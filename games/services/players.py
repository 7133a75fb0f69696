"""Create guests, and issue tokens."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from knox.models import AuthToken, get_digest_token
from knox.settings import CONSTANTS, knox_settings

from games.errors import SignInFailed
from games.kit.tokens import remember_token
from games.models import GUEST, ID_LENGTH, Player, TokenName, new_id
from games.services.names import give_name, tell_apart


class SignedIn(NamedTuple):
    """A player and a new token, the only key of a guest; each use of a token extends its life."""

    player: Player
    token: str
    expires_at: datetime


def create_guest(display_name: str = "", *, is_bot: bool = False) -> SignedIn:
    """Create a guest with a token. Raises `NameReserved`."""
    return create_guests([unsaved_guest(display_name, is_bot=is_bot)])[0]


def create_guests(guests: Sequence[Player]) -> list[SignedIn]:
    """Save new guests, and issue a token to each, in two statements."""
    with transaction.atomic():
        Player.objects.bulk_create(guests)
        tokens = [_unsaved_token(guest) for guest in guests]
        AuthToken.objects.bulk_create([row for row, _ in tokens])
    tell_apart(*(guest.name_key for guest in guests))
    for row, _ in tokens:
        remember_token(row)
    return [SignedIn(row.user, token, row.expiry) for row, token in tokens]


def new_guest(display_name: str = "", *, is_bot: bool = False) -> Player:
    """Create a guest without a token. Raises `NameReserved`."""
    guest = unsaved_guest(display_name, is_bot=is_bot)
    guest.save()
    tell_apart(guest.name_key)
    return guest


def unsaved_guest(display_name: str = "", *, is_bot: bool = False) -> Player:
    """Return a new guest, to be saved by the caller. Raises `NameReserved`."""
    handle = f"guest-{new_id()}"
    guest = Player(username=handle, display_name=f"{GUEST} {handle[-ID_LENGTH:]}", is_guest=True, is_bot=is_bot)
    if display_name:
        give_name(guest, display_name)
    guest.set_unusable_password()
    return guest


@transaction.atomic
def issue_token(player: Player, name: str = "") -> SignedIn:
    """Issue another token for a player. Raises what `locked` raises."""
    locked(player)
    return _new_token(player, name)


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


def _new_token(player: Player, name: str = "") -> SignedIn:
    row, token = _unsaved_token(player)
    row.save()
    if name:
        TokenName.objects.create(token=row, name=name)
    remember_token(row)
    return SignedIn(player, token, row.expiry)


def _unsaved_token(player: Player) -> tuple[AuthToken, str]:
    digest, token = get_digest_token()
    expiry = timezone.now() + knox_settings.TOKEN_TTL
    return AuthToken(digest=digest, token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH], user=player, expiry=expiry), token
