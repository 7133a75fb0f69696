"""Create guests, each with a token where a program asks for one.

Those who arrive at the same moment share a transaction: at midnight, everyone comes at once.
"""

from collections.abc import Sequence
from concurrent.futures import Future

from django.db import transaction

from games.keys.tokens import SignedIn, remember_token, unsaved_token
from games.players.made_up_names import name_the_nameless
from games.players.models import Player, new_id
from games.players.names import give_name, tell_apart
from games.runtime.batching import BatchThread
from games.runtime.rows_at_once import insert_rows


def become_guest(display_name: str = "", *, is_bot: bool = False) -> SignedIn:
    """Create a guest with a token, together with all others who are waiting.

    Raises `NameReserved` or `DatabaseError`. The transaction is not the caller's.
    """
    return save_together(unsaved_guest(display_name, is_bot=is_bot)).result()


def save_together(guest: Player) -> Future[SignedIn]:
    """Save a new guest together with all others who are waiting; the future may raise `DatabaseError`."""
    return _thread.submit(guest)


def stop() -> None:
    """Create the waiting guests and close the connection; a later guest reopens it."""
    _thread.stop()


def create_guest(display_name: str = "", *, is_bot: bool = False) -> SignedIn:
    """Create a guest with a token. Raises `NameReserved`."""
    return create_guests([unsaved_guest(display_name, is_bot=is_bot)])[0]


def create_guests(guests: Sequence[Player]) -> list[SignedIn]:
    """Save new guests, with a name for those who have none, and issue a token to each, in two statements."""
    name_the_nameless(guests)
    with transaction.atomic():
        insert_rows(guests)
        tokens = [unsaved_token(guest) for guest in guests]
        insert_rows([row for row, _ in tokens])
    tell_apart(*(guest.name_key for guest in guests))  # made-up ones too: another process may make up the same
    for row, _ in tokens:
        remember_token(row)
    return [SignedIn(row.user, token, row.expiry) for row, token in tokens]


def new_guest(display_name: str = "", *, is_bot: bool = False) -> Player:
    """Create a guest without a token. Raises `NameReserved`."""
    guest = unsaved_guest(display_name, is_bot=is_bot)
    name_the_nameless([guest])
    guest.save()
    tell_apart(guest.name_key)
    return guest


def unsaved_guest(display_name: str = "", *, is_bot: bool = False) -> Player:
    """Return a new guest, to be saved by the caller; without a name if none is given. Raises `NameReserved`."""
    guest = Player(username=f"guest-{new_id()}", is_guest=True, is_bot=is_bot)
    if display_name:
        give_name(guest, display_name)
    guest.set_unusable_password()
    return guest


# There are as many statements for twenty guests as for one.
_thread: BatchThread[Player, SignedIn] = BatchThread("guests", create_guests, lingers_s=0.005)
