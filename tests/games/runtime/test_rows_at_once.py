"""Columns of many rows, written by one statement."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import DataError, IntegrityError, connection, transaction
from knox.models import AuthToken

from games.keys.tokens import unsaved_token
from games.players.models import Player
from games.runtime.rows_at_once import insert_rows, save_columns

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


def test_new_rows_are_those_that_were_given_and_know_their_keys(alice: Player) -> None:
    noon = datetime(2026, 11, 29, 12, 0, 0, 123_456, tzinfo=UTC)
    bob = Player(username="bob", display_name='Größe "1" \\ \' 😀', is_bot=True, owner=alice, banned_at=noon)
    carol = Player(username="carol", display_name="007", name_key="null", key_epoch=7)
    insert_rows([bob, carol])
    kept = Player.objects.in_bulk([bob.pk, carol.pk])
    for player in (bob, carol):
        for field in Player._meta.concrete_fields:
            assert getattr(kept[player.pk], field.attname) == getattr(player, field.attname), field
    bob.display_name = "Bob"
    bob.save(force_update=True)
    assert Player.objects.count() == 3


def test_new_rows_keep_the_keys_that_they_have(alice: Player) -> None:
    rows = [unsaved_token(alice)[0] for _ in range(3)]
    insert_rows(rows)
    assert {row.digest for row in rows} == set(AuthToken.objects.values_list("digest", flat=True))
    assert AuthToken.objects.get(digest=rows[0].digest).created is not None


def test_where_one_row_is_impossible_none_is_inserted(alice: Player) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows([Player(username="bob"), Player(username=alice.username)])
    assert not Player.objects.filter(username="bob").exists()
    insert_rows([])


@pytest.mark.servers
@pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers")
def test_a_text_that_is_too_long_is_refused_and_not_cut(alice: Player) -> None:
    alice.username = "a" * 1000
    with pytest.raises(DataError), transaction.atomic():
        save_columns([alice], ["username"])


@pytest.mark.servers
@pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers")
def test_postgresql_plans_a_statement_once_however_often_it_is_executed(alice: Player) -> None:
    for alice.display_name in ("Alice", "Alicia"):
        save_columns([alice], ["display_name"])
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT generic_plans + custom_plans FROM pg_prepared_statements "
            "WHERE statement LIKE 'UPDATE games_player SET display_name = %'"
        )
        [(executed,)] = cursor.fetchall()
    assert executed >= 2
