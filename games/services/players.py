"""Accounts and the keys to them."""

from __future__ import annotations

from django.conf import settings
from django.core import signing
from knox.models import AuthToken

from games.models import Player, new_id

_TICKET_SALT = "games.ticket"


def create_guest(display_name: str = "", *, is_bot: bool = False) -> tuple[Player, str]:
    """Create a guest and return it with the token that is its only key."""
    handle = f"guest-{new_id()}"
    player = Player(username=handle, display_name=display_name or f"Guest {handle[-4:]}", is_guest=True, is_bot=is_bot)
    player.set_unusable_password()
    player.save()
    _, token = AuthToken.objects.create(player)
    return player, token


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
