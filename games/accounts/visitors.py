"""The player behind a page, made a guest if there is none."""

from __future__ import annotations

from django.contrib.auth import login
from django.http import HttpRequest

from games.accounts.guests import new_guest
from games.accounts.password_backend import BACKEND
from games.players.models import Player
from games.players.readers import reader_of
from games.runtime.addresses import address_of_request
from games.runtime.limits import count, new_account


def player_of(request: HttpRequest) -> Player:
    """Return the player who is signed in, or else a new guest with a session. Raises `Throttled`."""
    reader = reader_of(request)
    if reader is not None:
        return reader
    count(*new_account(address_of_request(request)))
    guest = new_guest()
    login(request, guest, BACKEND)
    return guest
