"""A game ends once, and everyone who is connected hears of it, whatever else fails."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from datetime import UTC, datetime

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import OperationalError
from django.utils import timezone

from games.calendar.models import DailyDeal, Deal
from games.play.live import live_game, requests
from games.play.models import Game
from games.play.refusals import TooManyGames
from games.play.scores import Placement, game_finished
from games.play.starting import practise, start_practice
from games.players.models import Player
from games.rules import Suits
from tests.calendar import prepared_dailies
from tests.games.conftest import Connect, MakeGame
from tests.games.play.nodes import Listener, running
from tests.games.play.test_socket import WINNABLE, WINNING
from tests.games.ways_to_play import open_session, resign, restart, take_action

pytestmark = pytest.mark.django_db(transaction=True)


async def test_the_end_of_a_won_game_is_heard_though_it_could_not_be_announced(
    connect: Connect, practice: MakeGame, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **signal: object) -> None:
        raise OperationalError("no connection could be had")

    monkeypatch.setattr(game_finished, "send_robust", fail)
    async with connect(await practice(WINNABLE), alice) as client:
        await client.receive()
        answers = [await client.play(move) for move in WINNING.split()]
        assert [answer["type"] for answer in answers] == ["played"] * len(answers)
        assert (await client.receive())["type"] == "finished"


def test_a_player_whose_game_was_ended_through_another_node_hears_of_the_end_with_the_ranks(alice: Player) -> None:
    game, placements, heard = start_practice(alice, "standard", timezone.now()), Future[list[Placement]](), Listener()

    def enter_slowly(**signal: object) -> Future[list[Placement]]:
        return placements

    game_finished.connect(enter_slowly)
    try:
        with running(2) as (here, there):
            there.play(game, heard)
            resigning = asyncio.run_coroutine_threadsafe(requests.resign(game.id, alice, 0, timezone.now()), here.loop)
            placements.set_result([Placement("a board", rank=1, of=2)])
            assert [heard.hear(), heard.hear()] == ["finished", "placed"]
            resigning.result(60)
    finally:
        game_finished.disconnect(enter_slowly)


def test_the_end_is_told_once_though_the_game_is_loaded_again_after_it(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, heard = start_practice(alice, "standard", timezone.now()), Listener()
    with running(1) as (node,):
        live = node.play(game, heard)
        node.run(live.resign(0, timezone.now()))
        node.run(live.end_published())
        monkeypatch.setattr(live_game, "was_up_since", lambda moment: False)
        node.run(live.catch_up(timezone.now()))
        node.run(live.end_published())
    assert heard.others == ["finished"]


async def test_the_move_that_won_may_be_sent_again_and_the_end_is_heard_again(
    connect: Connect, practice: MakeGame, alice: Player
) -> None:
    game = await practice(WINNABLE)
    async with connect(game, alice) as client:
        await client.receive()
        *_, last = [await client.play(move) for move in WINNING.split()]
        finished = await client.receive()
    async with connect(game, alice) as client:
        await client.receive()
        assert await client.receive() == finished
        again = await client.ask("play", version=last["version"] - 1, move=last["move"])
        assert again == {**last, "id": again["id"]}
        assert await client.receive() == finished


@pytest.mark.usefixtures("_no_deadline")
def test_a_hint_over_rest_is_given_where_the_policy_allows_it(alice: Player) -> None:
    game = start_practice(alice, "standard", timezone.now())
    open_session(game, timezone.now())
    answer = take_action(game, "H", 0, timezone.now())
    assert answer.hint is not None
    assert answer.hint.move in answer.legal


def test_restarted_practice_on_a_daily_deal_keeps_its_suits(alice: Player, bob: Player) -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    prepared_dailies(now, 0)
    game = practise(alice, DailyDeal.objects.filter(day=now.date()).earliest("pk").deal, now)
    again = restart(game, now)
    assert Suits(again.suits) == Suits(game.suits)
    assert restart(Game.objects.get(pk=game.pk), now) == again


def test_a_game_whose_restart_is_refused_goes_on(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "practice", (1, 24 * 60 * 60))
    game = start_practice(alice, "standard", timezone.now())
    with pytest.raises(TooManyGames):
        restart(game, timezone.now())
    game.refresh_from_db()
    assert game.status == Game.Status.PLAYING


def test_a_game_that_is_refused_leaves_no_deal_behind(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "practice", (1, 24 * 60 * 60))
    game = start_practice(alice, "standard", timezone.now())
    with pytest.raises(TooManyGames):
        start_practice(alice, "standard", timezone.now())
    assert [*Deal.objects.all()] == [game.deal]


def test_giving_up_twice_gets_the_same_answer(alice: Player) -> None:
    game = start_practice(alice, "standard", timezone.now())
    assert resign(game, 0, timezone.now()) == resign(game, 0, timezone.now())


async def test_nobody_is_connected_any_more_and_the_game_still_ends_on_its_boards(alice: Player) -> None:
    heard: list[str] = []

    def hear(game: str, **signal: object) -> None:
        heard.append(game)

    game_finished.connect(hear)
    try:
        game = await sync_to_async(start_practice)(alice, "standard", timezone.now())
        await sync_to_async(resign)(game, 0, timezone.now())
    finally:
        game_finished.disconnect(hear)
    assert heard == [game.id]
