"""The mail address of an account, which is kept only to reset a forgotten password, and only once it is confirmed."""

from hashlib import sha256

from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import HttpRequest
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext
from rest_framework.exceptions import Throttled

from games.accounts.passwords import require_own_password, require_passwords
from games.accounts.refusals import BadMailAddress, NoMail
from games.doors.mail import is_configured, public, send, send_later
from games.keys.authentication import stamp_of
from games.players.models import Player
from games.runtime.addresses import address_of_request
from games.runtime.limits import Hit, count
from games.runtime.threads import Places

LINK_SECONDS = 24 * 60 * 60
LONGEST_ADDRESS = 254
WAIT_SECONDS = 5
_SALT = "games.mail"
_waiting = Places("mails")


def normal_address(text: str) -> str:
    """Return a mail address in the one form in which it is kept and looked up. Raises `BadMailAddress`."""
    address = text.strip()
    if not address.isascii():  # before lowering, which turns the kelvin sign into a k
        raise BadMailAddress("a mail address is written in ASCII; write the domain as xn--...")
    try:
        validate_email(address)
    except ValidationError as error:
        raise BadMailAddress("this is not a mail address") from error
    return address.lower()


def ask_to_confirm(player: Player, address: str, password: str, request: HttpRequest) -> None:
    """Send a link to an address that a player wants to use; nothing is kept until it is opened.

    Raises `NoMail`, `BadMailAddress`, `GuestAccount`, `SignInFailed`, `Throttled` or `MailFailed`.
    """
    if not is_configured():
        raise NoMail("this server sends no mail")
    address = normal_address(address)
    holder = require_own_password(player, password, request)
    _count_mail("confirm", address, request)
    link = signing.dumps([holder.pk, address, stamp_of(holder), holder.email], salt=_SALT)
    url = public(reverse("web:confirm-mail", args=[link]))
    with _waiting.taken_by(holder.pk) as may_wait:
        if not may_wait:
            raise Throttled(wait=WAIT_SECONDS)
        send(address, gettext("Confirm your mail address"), "games/mail_confirm.txt", {"player": holder, "url": url})


def address_in_link(player: Player, link: str) -> str | None:
    """Return the address that a link confirms for this player, or None if it is another's, expired or outdated."""
    content = _content_of(link)
    if content is None:
        return None
    pk, address, stamp, before = content
    fresh = Player.objects.get(pk=player.pk)
    is_open = fresh.email in (before, address)  # also after it was confirmed: people open links and press buttons twice
    return address if (pk, stamp) == (fresh.pk, stamp_of(fresh)) and is_open else None


def was_mailed(link: str) -> bool:
    """Return True for a link of this server that has not expired, no matter whose."""
    return _content_of(link) is not None


def _content_of(link: str) -> tuple[int, str, str, str] | None:
    try:
        pk, address, stamp, before = signing.loads(link, salt=_SALT, max_age=LINK_SECONDS)
    except (signing.BadSignature, ValueError):
        return None
    return pk, address, stamp, before


def confirm(player: Player, link: str) -> bool:
    """Keep the address of a link as the player's, and return True if the link is valid."""
    address = address_in_link(player, link)
    return address is not None and bool(Player.objects.filter(pk=player.pk, is_active=True).update(email=address))


def forget_address(player: Player, password: str, request: HttpRequest) -> None:
    """Forget a player's mail address. Raises `GuestAccount`, `SignInFailed` or `Throttled`."""
    require_own_password(player, password, request)
    Player.objects.filter(pk=player.pk).update(email="")


def ask_to_reset(address: str, request: HttpRequest) -> None:
    """Send links that reset the password to an address, one for each account that has it.

    Neither the answer nor its time shows whether there is one. Raises `PasswordsOff`, `NoMail`, `BadMailAddress` or
    `Throttled`.
    """
    require_passwords()
    if not is_configured():
        raise NoMail("this server sends no mail")
    address = normal_address(address)
    _count_mail("reset", address, request)
    for player in Player.objects.filter(email=address, is_active=True, is_guest=False):
        key = urlsafe_base64_encode(force_bytes(player.pk)), default_token_generator.make_token(player)
        url = public(reverse("web:new-password", args=key))
        send_later(address, gettext("Choose a new password"), "games/mail_reset.txt", {"player": player, "url": url})


def _count_mail(purpose: str, address: str, request: HttpRequest) -> None:
    """Count a mail by its purpose: who says that an address is theirs keeps no owner from a new password."""
    recipient = sha256(address.encode()).hexdigest()
    count(Hit("mails", f"{purpose} {recipient}"), Hit("mails_address", address_of_request(request)))
