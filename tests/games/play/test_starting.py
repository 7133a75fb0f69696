"""A first ranked attempt begins in one statement, even if others begin one at the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from asgiref.sync import async_to_sync, sync_to_async
from django.test import Client

from games.accounts.guests import create_guest
from games.calendar.dailies import dailies_of
from games.calendar.divisions import enter_division
from games.calendar.models import DailyDeal, DayDivision, SecretAccess
from games.keys.authentication import issue_ticket
from games.play import journal
from games.play.journal.batcher import writer
from games.play.live import loading, starting
from games.play.models import Game
from games.play.refusals import Conflict, NoOpenDaily
from games.play.session import Change
from games.play.starting import first_attempt, known_first_attempt, start_of, start_ranked
from games.players.models import Player
from games.rules import DRAW
from tests.calendar import prepared_dailies
from tests.games.conftest import NOON
from tests.games.play.test_many_at_once import at_once
from tests.games.sockets import connected
from tests.games.ways_to_play import commit, open_session

pytestmark = pytest.mark.django_db(transaction=True)

DEVICES = 40
SOCKETS = 20  # as many as a player may have open
MICROSECOND = timedelta(microseconds=1)


def asked_by(player: Player, now: datetime = NOON) -> Game:
    game = first_attempt(player, "standard", now)
    assert game is not None
    return game


def stored(game: Game) -> dict[str, Any]:
    return dict(Game.objects.filter(pk=game.pk).values().get())


def test_what_is_stored_is_what_the_models_would_store(alice: Player, bob: Player, daily: DailyDeal) -> None:
    asked, by_model = asked_by(alice), asked_by(bob)
    asked.started_at = NOON + MICROSECOND
    commit(start_of(asked))
    by_model.started_at = asked.started_at
    by_model.save(force_insert=True)
    own = ("id", "player_id", "suits")
    ours, theirs = ({**stored(game), **dict.fromkeys(own)} for game in (asked, by_model))
    assert ours == theirs
    assert [stored(asked)[name] for name in own] == [getattr(asked, name) for name in own]
    assert DayDivision.objects.values_list("player", "day", "division").get() == (alice.pk, daily.day, daily.division)


def test_forty_devices_that_start_at_once_play_one_game(alice: Player, daily: DailyDeal) -> None:
    started = at_once(DEVICES, lambda _: async_to_sync(starting.start_ranked)(alice, "standard", NOON))
    assert len({game.id for game, _ in started}) == 1
    assert sum(is_new for _, is_new in started) == 1
    assert Game.objects.count() == DayDivision.objects.count() == 1


async def test_twenty_sockets_that_open_at_once_play_one_game(alice: Player) -> None:
    await sync_to_async(prepared_dailies)(datetime.now(UTC), 1)
    path = f"/ws/daily/standard/?ticket={issue_ticket(alice)}"

    async def first_state() -> str:
        async with connected(path, [], "daily") as client:
            state = await client.receive()
            assert (state["type"], state["version"]) == ("state", 0)
            return str(state["game"])

    games = await asyncio.gather(*(first_state() for _ in range(SOCKETS)))
    assert len(set(games)) == 1
    assert await Game.objects.acount() == 1


async def test_the_first_state_comes_from_what_was_sent(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*_: object) -> None:
        raise AssertionError("the game was read back")

    await sync_to_async(prepared_dailies)(datetime.now(UTC), 1)
    monkeypatch.setattr(loading, "load", load)
    async with connected(f"/ws/daily/standard/?ticket={issue_ticket(alice)}", [], "daily") as client:
        state = await client.receive()
        await client.play("D")
    game = await Game.objects.select_related("deal").aget()
    assert (game.id, game.started_at) == (state["game"], game.created_at)
    assert await sync_to_async(lambda: open_session(game, datetime.now(UTC)).play.version)() == 1


def test_a_guest_on_a_day_that_is_known_needs_no_reading(alice: Player, daily: DailyDeal, staff: Player) -> None:
    assert known_first_attempt(alice, "standard", NOON) is None
    dailies_of(daily.day)
    known = known_first_attempt(alice, "standard", NOON)
    assert known is not None
    assert known.daily == daily
    assert known_first_attempt(alice, "giza", NOON) is None
    staff.date_joined = NOON - timedelta(days=9)
    assert known_first_attempt(staff, "standard", NOON) is None, "finished games decide about the division"


@pytest.mark.parametrize("address", ["/api/games/", "/play/standard/"])
def test_a_start_without_a_socket_is_written_with_what_else_waits_for_the_journal(
    alice: Player, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared_dailies(datetime.now(UTC), 1)
    written: list[Change] = []
    put = writer.put

    def watched(changes: Sequence[Change], tell: Any) -> None:
        written.extend(changes)
        put(changes, tell)

    monkeypatch.setattr(writer, "put", watched)
    client = Client()
    client.force_login(alice)
    assert client.post(address, {"kind": "daily", "rules": "standard"}, "application/json").status_code in {201, 303}
    [start] = written
    game = Game.objects.get()
    assert (start.game, start.start is not None, game.started_at) == (game.pk, True, None)


def test_a_start_holds_for_the_day_it_was_asked_on_to_its_last_microsecond(
    alice: Player, bob: Player, daily: DailyDeal, dailies: None
) -> None:
    midnight = daily.key.closes_at
    assert start_ranked(alice, "standard", midnight - MICROSECOND).daily == daily
    tomorrow = start_ranked(bob, "standard", midnight).daily
    assert tomorrow is not None
    assert tomorrow.day == daily.day + timedelta(days=1)
    with pytest.raises(NoOpenDaily):
        start_ranked(bob, "standard", midnight + timedelta(days=30))


async def test_a_socket_that_opens_in_the_last_millisecond_starts_the_attempt_of_that_day(
    alice: Player, daily: DailyDeal, dailies: None
) -> None:
    with time_machine.travel(daily.key.closes_at - timedelta(milliseconds=1), tick=False) as clock:
        path = f"/ws/daily/standard/?ticket={issue_ticket(alice)}"
        async with connected(path, [], "daily") as client:
            state = await client.receive()
            clock.move_to(daily.key.closes_at)
            assert (await client.play("D"))["type"] == "played"
        async with connected(path, [], "daily") as client:
            next_day = await client.receive()
    assert (await Game.objects.aget(pk=state["game"])).daily_id == daily.pk
    assert next_day["game"] != state["game"]


def test_of_a_batch_those_start_that_can_and_the_others_are_told(
    alice: Player, bob: Player, mallory: Player, staff: Player, daily: DailyDeal
) -> None:
    SecretAccess.objects.create(player=mallory, daily=daily, at=NOON, reason="a look at what is secret")
    DayDivision.objects.create(player=bob, day=daily.day, division="main")
    again, fresh = asked_by(alice), [create_guest().player for _ in range(3)]
    moved = open_session(start_ranked(create_guest().player, "standard", NOON), NOON)
    games = [asked_by(player) for player in (alice, bob, mallory, *fresh)]
    changes: list[Change] = [start_of(game) for game in (*games, again)]
    action = moved.act(next(iter(moved.play.legal_moves)), 0, NOON)
    futures = [writer.submit(change) for change in (*changes[:3], action, *changes[3:])]
    errors = [future.exception() for future in futures]
    alices = {type(errors.pop(0)), type(errors.pop())}
    assert alices == {type(None), Conflict}  # either of the two, as they were asked for at once
    assert [type(error) for error in errors] == [
        *(Conflict, Conflict, type(None)),  # bob of another division, mallory who has looked; a move
        *(type(None), type(None), type(None)),  # those who are new
    ]
    assert set(Game.objects.exclude(pk=moved.game).values_list("player", flat=True)) == {
        alice.pk,
        *(player.pk for player in fresh),
    }
    assert Game.objects.get(pk=moved.game).log.count() == 1


async def test_of_a_batch_that_is_written_one_by_one_those_start_that_can(
    alice: Player, bob: Player, daily: DailyDeal
) -> None:
    def changes() -> list[Change]:
        again, played = start_of(asked_by(alice)), start_ranked(alice, "standard", NOON)
        moves = [open_session(played, NOON).act(DRAW, 0, NOON) for _ in range(2)]  # of which only one can be kept
        return [*moves, again, start_of(asked_by(bob))]

    waiting = map(journal.write, await sync_to_async(changes)())
    errors = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(error) for error in errors] == [type(None), Conflict, Conflict, type(None)]
    assert [await player.games.acount() for player in (alice, bob)] == [1, 1]


def test_who_has_a_division_keeps_it(alice: Player, daily: DailyDeal) -> None:
    DayDivision.objects.create(player=alice, day=daily.day, division="main")
    with pytest.raises(Conflict):
        commit(start_of(asked_by(alice)))
    game, is_new = async_to_sync(starting.start_ranked)(alice, "standard", NOON)
    assert is_new
    assert game.daily is not None
    assert game.daily.division == enter_division(alice, daily) == "main"
