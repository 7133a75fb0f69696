"""Guests who arrive at the same moment share a transaction: at midnight, everyone comes at once."""

from __future__ import annotations

from games.accounts.guests import create_guests, unsaved_guest
from games.keys.issuing import SignedIn
from games.players.models import Player
from games.runtime.batching import BatchThread


def become_guest(display_name: str = "", *, is_bot: bool = False) -> SignedIn:
    """Create a guest with a token, together with all others who are waiting.

    Raises `NameReserved` or `DatabaseError`. The transaction is not the caller's.
    """
    return _thread.submit(unsaved_guest(display_name, is_bot=is_bot)).result()


def stop() -> None:
    """Create the waiting guests and close the connection; a later guest reopens it."""
    _thread.stop()


_thread: BatchThread[Player, SignedIn] = BatchThread("guests", create_guests)
