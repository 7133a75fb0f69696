"""Change a password, and whatever else asks for it again.

An account without a password has its player sign in again instead, in the same browser, a short time before.
"""

from datetime import datetime

from django.conf import settings
from django.contrib.auth import SESSION_KEY, authenticate
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest

from games.accounts.password_backend import count_new_password
from games.accounts.refusals import GuestAccount, PasswordsOff, SignInAgain, WeakPassword, WrongPassword
from games.keys.keys import end_keys
from games.keys.refusals import SignInFailed
from games.players.models import Player
from games.runtime.clock import clock

CONFIRMED_SECONDS = 10 * 60
_CONFIRMED = "confirmed"


def has_password(player: Player) -> bool:
    """Return True if a player signs in, and confirms, with a password."""
    return settings.PYRAMID_PASSWORDS and player.has_usable_password()


def require_passwords() -> None:
    """Raise `PasswordsOff` on a server where nobody signs in with a password."""
    if not settings.PYRAMID_PASSWORDS:
        raise PasswordsOff("nobody signs in with a password here")


def require_password(handle: str, password: str, request: HttpRequest) -> Player:
    """Return the player with this handle and password.

    Raises `PasswordsOff`, `Throttled`, or `SignInFailed`, which is the same for a wrong password and an unknown handle.
    """
    require_passwords()
    player = authenticate(request, username=handle, password=password)
    if not isinstance(player, Player):
        raise SignInFailed("wrong handle or password")
    return player


def require_own_password(player: Player, password: str, request: HttpRequest) -> Player:
    """Return a player who is signed in, as stored now, if this is the password.

    Raises `GuestAccount`, `SignInFailed` or `Throttled`.
    """
    if player.is_guest:
        raise GuestAccount("a guest has no password; register first")
    if not has_password(player):
        return _require_confirmed(player, request)
    holder = authenticate(request, username=player.username, password=password)
    if not isinstance(holder, Player) or holder != player:
        raise WrongPassword("this is not your password")
    return holder


def note_confirmation(request: HttpRequest, now: datetime) -> None:
    """Note that the player who is signed in has just proved again who they are. The note ends with the session."""
    request.session[_CONFIRMED] = now.timestamp()


def is_confirmed(player: Player, request: HttpRequest) -> bool:
    """Return True if the player of this browser's session has proved a short time ago who they are, and is this one.

    A request with a token of one player may have the cookie of another.
    """
    session = getattr(request, "session", {})
    is_own = session.get(SESSION_KEY) == str(player.pk)
    return bool(is_own and 0 <= clock.now().timestamp() - session.get(_CONFIRMED, 0) < CONFIRMED_SECONDS)


def _require_confirmed(player: Player, request: HttpRequest) -> Player:
    if not is_confirmed(player, request):
        raise SignInAgain("this account has no password; sign in again in this browser, then repeat this")
    return Player.objects.get(pk=player.pk)


def require_strong(password: str, player: Player) -> None:
    """Raise `WeakPassword` if a password is common, short, or like the handle or the name of its player.

    Raises `PasswordsOff` where there are none.
    """
    require_passwords()
    try:
        validate_password(password, player)
    except ValidationError as error:
        raise WeakPassword(" ".join(error.messages)) from error


def change_password(player: Player, present: str, wanted: str, request: HttpRequest, keep: str | None = None) -> int:
    """Give a named account another password, and return how many tokens ended.

    All its sessions, tickets and tokens end, but for the token `keep`, and its sockets are closed, in every process.
    Raises `GuestAccount`, `SignInFailed`, `WeakPassword` or `Throttled`.
    """
    return set_password(require_own_password(player, present, request), wanted, request, keep)


def set_password(player: Player, wanted: str, request: HttpRequest, keep: str | None = None) -> int:
    """Change the password of someone who has proved by other means that the account is theirs."""
    require_strong(wanted, player)
    count_new_password(request, player)
    hashed = make_password(wanted)
    with transaction.atomic():
        if not Player.objects.filter(pk=player.pk, password=player.password).update(password=hashed):
            raise SignInFailed("the password was changed at the same moment")
        return end_keys(player, keep)
