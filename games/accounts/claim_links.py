"""A link with which a browser takes over the guest of a program: signed, for minutes, and good for one claim."""

from django.core import signing

from games.accounts.passwords import require_passwords
from games.accounts.refusals import AlreadyClaimed
from games.keys.authentication import stamp_of
from games.players.models import Player

LINK_SECONDS = 15 * 60
_SALT = "games.claim"


class LinkEnded(Exception):
    """The link was used, has expired, or was never one of this server's."""


def claim_link(guest: Player) -> str:
    """Return the last part of a link that shows its reader to be the guest. Raises `AlreadyClaimed` or `PasswordsOff`.

    The page of the link asks for a password.
    """
    require_passwords()
    if not guest.is_guest:
        raise AlreadyClaimed(f"this account is already named {guest.username}")
    return signing.dumps([guest.pk, stamp_of(guest)], salt=_SALT)


def guest_of_link(link: str) -> Player:
    """Return the guest of a link, which ends with the claim, with all keys of the guest, or in time.

    Raises `LinkEnded`, also for anything that is not such a link.
    """
    try:
        pk, stamp = signing.loads(link, salt=_SALT, max_age=LINK_SECONDS)
    except (signing.BadSignature, ValueError):
        pk, stamp = None, ""
    guest = Player.objects.filter(pk=pk, is_guest=True, is_active=True).first()
    if guest is None or stamp != stamp_of(guest):
        raise LinkEnded("this link has ended; ask the program for another one")
    return guest
