"""Named accounts: claim one, sign in and out, change the display name."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from datetime import datetime
from importlib import import_module
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from knox.models import AuthToken

from games.accounts.password_backend import count_new_password
from games.accounts.passwords import require_password, require_strong
from games.accounts.refusals import AlreadyClaimed, BadHandle, HandleReserved, HandleTaken
from games.keys.authentication import key_of_session, key_of_token, revoke
from games.keys.keys import end_keys
from games.keys.models import BrowserSession
from games.keys.tokens import SignedIn, forget_tokens, issue_token, token_row
from games.players.lookalikes import name_key, normal, speaks_for_server
from games.players.models import Player
from games.players.names import NAME_FIELDS, give_name, has_new_name, publish_names, tell_apart
from games.runtime.limits import Hit, count

HANDLE = re.compile(r"[a-z0-9](?:-?[a-z0-9]){2,31}", re.ASCII)
LONGEST_HANDLE = 32
LONGEST_PASSWORD = 128
RESERVED = frozenset(
    [
        *("admin", "administrator", "moderator", "official", "pyramid", "root", "server", "staff", "support", "system"),
        *("anonymous", "api", "bot", "closed", "deleted", "everyone", "following", "guest", "help", "me", "nobody"),
    ]
)


class Wanted(NamedTuple):
    """A requested named account; without a display name it keeps the one that it has.

    Without a password its player has another way to sign in. One that `is_bot` is a bot from now on; nobody becomes a
    person by claiming.
    """

    handle: str
    display_name: str | None
    password: str | None
    is_bot: bool = False


def claim(player: Player, wanted: Wanted, request: HttpRequest, now: datetime) -> Player:
    """Make a guest a named account, with all its games and tokens.

    Raises `AlreadyClaimed`, `NameReserved`, `BadHandle`, `HandleReserved`, `HandleTaken`, `WeakPassword` or
    `Throttled`, all of them before the password is hashed. Nothing is locked meanwhile.
    """
    if not player.is_guest:
        raise AlreadyClaimed(f"this account is already named {player.username}")
    named = copy(player)
    if wanted.display_name and has_new_name(player, wanted.display_name):
        give_name(named, wanted.display_name)
    _require_possible(wanted, named.display_name)
    count_new_password(request, player)
    hashed = make_password(wanted.password)
    guest = Player.objects.filter(pk=player.pk, is_guest=True, is_active=True)
    with handle_free(wanted.handle):
        fields = {field: getattr(named, field) for field in NAME_FIELDS} | ({"is_bot": True} if wanted.is_bot else {})
        claimed = guest.update(username=wanted.handle, is_guest=False, claimed_at=now, password=hashed, **fields)
        BrowserSession.objects.filter(player=player).delete()  # they end with what the password was
    forget_tokens(player.pk)
    tell_apart(player.name_key, named.name_key, name_key(wanted.handle))
    publish_names()
    player.refresh_from_db()
    if not claimed:
        raise AlreadyClaimed(f"this account is already named {player.username}")
    return player


def register(reader: Player | None, wanted: Wanted, request: HttpRequest, now: datetime) -> Player:
    """Return a named account: that of the guest who registers, or else a new one. Raises what `claim` raises."""
    return create_account(wanted, request, now) if reader is None else claim(reader, wanted, request, now)


def create_account(wanted: Wanted, request: HttpRequest, now: datetime) -> Player:
    """Create a named account. Raises what `claim` raises, with nothing created."""
    account = Player(username=wanted.handle, claimed_at=now, is_bot=wanted.is_bot)
    name = normal(wanted.display_name or wanted.handle)
    _require_possible(wanted, name)  # before the name, which may be the handle: a program sees which of both it is
    give_name(account, name)
    count_new_password(request, None)
    account.password = make_password(wanted.password)
    with handle_free(wanted.handle):
        account.save(force_insert=True)
    tell_apart(account.name_key, name_key(wanted.handle))
    return account


def sign_in(handle: str, password: str, request: HttpRequest) -> SignedIn:
    """Return a new token of a named account. Raises what `require_password` raises."""
    return issue_token(require_password(handle, password, request))


def sign_out(player: Player, token: str | None, *, everywhere: bool = False) -> int:
    """End a token, and return how many ended; with `everywhere` all tokens, sessions and tickets of the player.

    Sockets that were opened with them are closed, in every process.
    """
    if everywhere:
        return end_keys(player)
    row = token_row(token) if token else None
    if token is None or row is None:
        return 0
    ended: int = AuthToken.objects.filter(pk=row.pk).delete()[1].get(AuthToken._meta.label, 0)
    revoke(player, key_of_token(token))
    return ended


def forget_expired_tokens(now: datetime) -> int:
    """Delete the tokens that have expired, and return how many."""
    ended: int = AuthToken.objects.filter(expiry__lt=now).delete()[0]
    return ended


def forget_expired_sessions(now: datetime) -> None:
    """Delete the browser sessions that have expired."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()


def end_session(player: Player, session_key: str) -> None:
    """Close the sockets of a browser session that has ended."""
    revoke(player, key_of_session(session_key))


def rename(player: Player, display_name: str) -> Player:
    """Change the display name; the handle stays. Raises `NameReserved` or `Throttled`."""
    if has_new_name(player, display_name):
        count(Hit("renames", str(player.pk)))  # every process forgets the pages that it keeps
        former = player.name_key
        give_name(player, display_name)
        # Not saved as a whole: the account may have been closed meanwhile.
        fields = {field: getattr(player, field) for field in NAME_FIELDS}
        Player.objects.filter(pk=player.pk, is_active=True).update(**fields)
        forget_tokens(player.pk)
        tell_apart(former, player.name_key)
        publish_names()
    return player


def require_possible_handle(handle: str) -> None:
    """Raise `BadHandle`, `HandleReserved` or `HandleTaken` for a handle that nobody can take."""
    _require_good_handle(handle)
    if Player.objects.filter(username=handle).exists():
        raise HandleTaken(f"the handle {handle!r} is taken")


@contextmanager
def handle_free(handle: str) -> Iterator[None]:
    """Write an account, unless someone else takes its handle at the same moment. Raises `HandleTaken`."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise HandleTaken(f"the handle {handle!r} is taken") from error


def _require_possible(wanted: Wanted, name: str) -> None:
    """Raise `BadHandle`, `HandleReserved`, `HandleTaken` or `WeakPassword`."""
    require_possible_handle(wanted.handle)
    if wanted.password is not None:
        require_strong(wanted.password, Player(username=wanted.handle, display_name=name))


def _require_good_handle(handle: str) -> None:
    if len(handle) > LONGEST_HANDLE or not HANDLE.fullmatch(handle):
        raise BadHandle("a handle is 3 to 32 lower-case letters and digits, with single hyphens between them")
    if handle.partition("-")[0] in RESERVED or speaks_for_server(handle):
        raise HandleReserved(f"the handle {handle!r} is reserved")
