"""Create guests, each with a token where a program asks for one."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from knox.models import AuthToken

from games.keys.issuing import SignedIn, _unsaved_token
from games.keys.tokens import remember_token
from games.players.models import GUEST, ID_LENGTH, Player, new_id
from games.players.names import give_name, tell_apart


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
