"""The first migrations make tables, guards and groups, leave nothing of them on the way back, and make them again."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from games.models import Deal, Game, Move, Player
from games.services.starting import start_practice
from tests.guards import trigger_names

pytestmark = pytest.mark.django_db(transaction=True)


def permissions_of(group: str) -> set[str]:
    return {*Permission.objects.filter(group__name=group).values_list("codename", flat=True)}


def newest() -> list[tuple[str, str]]:
    """Return the last migrations of all apps: those that stand on the games went back with them."""
    nodes: list[tuple[str, str]] = MigrationExecutor(connection).loader.graph.leaf_nodes()
    return nodes


@pytest.fixture
def released() -> Iterator[Any]:
    """The models as they were released, on a database of that time."""
    yield migrate(RELEASED)
    call_command("migrate", verbosity=0)  # with what an operator's command does after migrations, unlike `migrate`


def released_attempt(apps: Any, day: datetime) -> str:
    """Store a ranked attempt with one draw, as the first release did, and return its id."""
    get = apps.get_model
    player = get("games", "Player").objects.create(username="guest-alice", display_name="Alice", is_guest=True)
    deal = get("games", "Deal").objects.create(rules="standard", deck=DECK, created_at=day)
    key = {"day": day.date(), "rules": "standard", "division": "open", "candidate": 0, "number": 1}
    secret = {"seed": "0" * 64, "commitment": "1" * 64, "link": "2" * 64}
    daily = get("games", "DailyDeal").objects.create(**key, **secret, deal=deal)
    when = {"created_at": day, "started_at": day}
    game = get("games", "Game").objects.create(player=player, deal=deal, daily=daily, **when)
    get("games", "Move").objects.create(game=game, version=1, action="D", at_ms=1500)
    return str(game.pk)


def test_an_attempt_of_the_first_release_is_guarded_after_a_way_back_and_goes_on_in_its_suits_and_division(
    released: Any,
) -> None:
    game_id = released_attempt(released, NOON)
    with pytest.raises(IntegrityError, match="no gaps"), transaction.atomic():
        released.get_model("games", "Move").objects.create(game_id=game_id, version=3, action="D", at_ms=2000)
    migrate(*newest())
    ensure_dailies(NOON)
    game = own_game(game_id, Game.objects.get().player)
    assert (game.suits, game.deck.text, game.attempt, game.downtime_ms) == ("", DECK, 1, 0)
    assert DayDivision.objects.get().division == "open"
    assert start_ranked(game.player, "standard", NOON) == game
    session = open_session(game, NOON)
    assert (session.play.version, session.policy.hints) == (1, False)
    commit(session.act(DRAW, 1, NOON))
    commit(session.resign(2, NOON))
    with pytest.raises(IntegrityError, match="frozen"), transaction.atomic():
        Game.objects.update(elapsed_ms=1)


def test_whoever_is_signed_in_stays_so_when_sessions_get_a_player(alice: Player) -> None:
    migrate(("games", "0023_lean_games"))
    kept, nobodys = SessionStore(), SessionStore()
    kept[SESSION_KEY], nobodys["settings"] = str(alice.pk), "dark"
    kept.save()
    nobodys.save()
    migrate(*newest())
    session = BrowserSession.objects.get()
    assert (session.pk, session.player, kept.decode(session.session_data)) == (
        kept.session_key,
        alice,
        {SESSION_KEY: str(alice.pk)},
    )
