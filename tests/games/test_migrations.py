"""The first migrations make tables, guards and groups, leave nothing of them on the way back, and make them again."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from games.calendar.models import Deal
from games.play.models import Game, Move
from games.play.starting import start_practice
from games.players.models import Player
from tests.guards import trigger_names

pytestmark = pytest.mark.django_db(transaction=True)


def permissions_of(group: str) -> set[str]:
    return {*Permission.objects.filter(group__name=group).values_list("codename", flat=True)}


def test_the_migrations_make_what_the_models_say() -> None:
    call_command("makemigrations", check_changes=True, dry_run=True)


def test_nothing_is_left_on_the_way_back_and_everything_stands_again_after_it(now: datetime) -> None:
    before = trigger_names()
    call_command("migrate", "games", "zero", verbosity=0)
    try:
        tables = connection.introspection.table_names()
        assert [table for table in tables if table.startswith(("games_", "leaderboards_"))] == []
        assert (trigger_names(), Group.objects.count()) == ([], 0)
    finally:
        call_command("migrate", verbosity=0)
    assert trigger_names() == before
    assert permissions_of("senior reviewer") - permissions_of("reviewer") == {
        *("ban_player", "decide_final_day", "hear_appeal")
    }
    assert {"review_case", "view_case", "view_game"} <= permissions_of("reviewer")
    assert "view_logline" not in permissions_of("senior reviewer")
    game = start_practice(Player.objects.create(username="alice"), "standard", now)
    with pytest.raises(IntegrityError, match="no gaps"), transaction.atomic():
        Move.objects.create(game=game, version=3, action="D", at_ms=2000)
    with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
        Game.objects.filter(pk=game.pk)._raw_delete(Game.objects.db)
    assert Deal.objects.count() == 1


@pytest.mark.servers
def test_games_have_no_index_for_the_beginning_of_an_id() -> None:
    with connection.cursor() as cursor:
        names = [*connection.introspection.get_constraints(cursor, "games_game")]
    assert "unsealed_games" in names
    assert [name for name in names if name.endswith("_like")] == []
