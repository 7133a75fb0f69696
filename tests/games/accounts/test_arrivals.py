"""Guests who arrive together: an account and a token for each of them, or neither."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection
from knox.models import AuthToken

from games.accounts import guests
from games.accounts.guests import become_guest
from games.keys.tokens import SignedIn, token_holder
from games.players.models import Player
from games.players.refusals import NameReserved
from games.runtime.memory import forget_everything
from games.runtime.rows_at_once import insert_rows

pytestmark = pytest.mark.django_db(transaction=True)

CROWD = 20


def arrive(number: int) -> SignedIn:
    try:
        return become_guest(f"Guest {number}", is_bot=number % 2 == 1)
    finally:
        connection.close()  # of this thread, which looked whether someone has the name


def test_each_of_a_crowd_gets_an_account_with_a_key_of_its_own() -> None:
    with ThreadPoolExecutor(CROWD) as doors:
        guests = list(doors.map(arrive, range(CROWD)))
    forget_everything()  # so that keys are looked up in the database
    for number, guest in enumerate(guests):
        holder = token_holder(guest.token)
        assert holder == guest.player
        assert holder is not None
        assert (holder.display_name, holder.is_bot, holder.is_guest) == (f"Guest {number}", number % 2 == 1, True)
    assert Player.objects.count() == AuthToken.objects.count() == CROWD


def test_a_reserved_name_keeps_nobody_else_out() -> None:
    with pytest.raises(NameReserved):
        become_guest("Pyramid staff")
    assert become_guest("Alice").player.listed_name == "Alice"


def test_if_no_token_can_be_kept_there_is_no_account_either(monkeypatch: pytest.MonkeyPatch) -> None:
    def insert_guests(rows: Sequence[Player | AuthToken]) -> None:
        if isinstance(rows[0], AuthToken):
            raise OperationalError("the disk is full")
        insert_rows(rows)

    guests.stop()  # a waiter in the thread would not see the change
    monkeypatch.setattr(guests, "insert_rows", insert_guests)
    with pytest.raises(OperationalError, match="the disk is full"):
        become_guest("Alice")
    assert not Player.objects.exists()
    monkeypatch.undo()
    assert become_guest("Alice").player.display_name == "Alice"
