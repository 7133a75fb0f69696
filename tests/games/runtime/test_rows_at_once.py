"""Columns of many rows, written by one statement."""

from __future__ import annotations

import pytest
from django.db import DataError, connection, transaction

from games.players.models import Player
from games.runtime.rows_at_once import save_columns

pytestmark = pytest.mark.django_db


def test_values_of_all_kinds_arrive_in_their_rows_and_no_other(alice: Player, bob: Player) -> None:
    carol = Player.objects.create(username="carol", display_name="Carol")
    alice.display_name, alice.is_active, alice.owner_id = 'Größe "1" \\ \' 😀', False, None
    bob.display_name, bob.is_bot, bob.owner_id = "", True, alice.pk
    save_columns([alice, bob], ["display_name", "is_active", "is_bot", "owner_id"])
    for player in (alice, bob, carol):
        kept = Player.objects.get(pk=player.pk)
        for name in ("display_name", "is_active", "is_bot", "owner_id"):
            assert getattr(kept, name) == getattr(player, name)


@pytest.mark.servers
@pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers")
def test_a_text_that_is_too_long_is_refused_and_not_cut(alice: Player) -> None:
    alice.username = "a" * 1000
    with pytest.raises(DataError), transaction.atomic():
        save_columns([alice], ["username"])
