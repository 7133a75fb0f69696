"""Notices between processes about a game: enough that watchers see every move, and no more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from queue import SimpleQueue
from typing import Any

import pytest
from django.db import DatabaseError
from django.utils import timezone

from games.play.live import live_game, live_games, loading, requests
from games.play.live.live_game import LiveGame
from games.play.models import Game
from games.play.refusals import StaleVersion, UnknownGame
from games.play.starting import start_practice
from games.play.wire import ActionInput
from games.players.models import Player
from games.rules import DRAW, RECYCLE, Outcome
from games.runtime.pubsub import PubSub
from tests.games.play.nodes import Listener, Node, running

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(alice: Player) -> Game:
    return start_practice(alice, "standard", timezone.now())


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the kind of each notice is added."""
    kinds, publish = list[str](), PubSub.publish

    def noted(pubsub: PubSub, topic: str, message: dict[str, Any]) -> None:
        kinds.append(message["kind"])
        publish(pubsub, topic, message)

    monkeypatch.setattr(PubSub, "publish", noted)
    return kinds


def act(node: Node, live: LiveGame, by: Listener | None = None) -> None:
    node.run(live.act(DRAW, live.session.play.version, datetime.now(UTC), by=by))


def test_a_move_is_heard_where_the_game_is_watched_though_the_watcher_came_first(
    game: Game, published: list[str]
) -> None:
    alice, bob = Listener(), Listener()
    with running(2) as (here, there):
        there.run(requests.read_state(game.id, game.player, timezone.now()))
        here.watch(game, bob)
        live = there.play(game, alice)
        assert here.games() is not there.games()  # which have heard of each other now
        for version in (1, 2):
            act(there, live, by=alice)
            assert bob.hear() == "played"
            assert bob.told[-1] == (version, "D")
        assert here.games()._tasks == set()
        assert json.loads(bob.instead())["version"] == 2
    assert alice.told == []
    assert published.count("changed") == 2


def test_whoever_begins_to_watch_hears_of_the_next_move(game: Game) -> None:
    alice, bob = Listener(), Listener()
    with running(2) as (here, there):
        live = there.play(game, alice)
        here.watch(game, bob)
        act(there, live)
        assert (bob.hear(), alice.hear()) == ("played", "played")


def test_a_move_over_rest_is_heard_by_the_player_elsewhere(game: Game) -> None:
    alice = Listener()
    with running(2) as (here, there):
        here.play(game, alice)
        there.run(requests.take_action(game.id, game.player, ActionInput(0, "D"), timezone.now()))
        assert alice.hear() == "played"


def test_what_is_done_over_rest_where_someone_watches_is_heard_by_the_player_elsewhere(game: Game) -> None:
    alice, bob = Listener(), Listener()
    with running(2) as (here, there):
        here.play(game, alice)
        there.watch(game, bob)
        there.run(requests.take_action(game.id, game.player, ActionInput(0, "D"), timezone.now()))
        assert (alice.hear(), bob.hear()) == ("played", "played")
        there.run(requests.resign(game.id, game.player, 1, timezone.now()))
        assert (alice.hear(), bob.hear()) == ("finished", "finished")


def test_moves_are_not_published_while_nobody_else_watches_nor_long_after(
    game: Game, published: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(2) as (here, there):
        here.keep(game)
        live = there.play(game, Listener())
        here.games()
        act(there, live)
        assert published == ["taken"]
        monkeypatch.setattr(live_games, "PEER_SECONDS", 0.0)
        here.watch(game, Listener())
        act(there, live)
        assert published == ["taken", "watched"]
        assert there.games()._peers == {}


def test_whoever_leaves_leaves_nothing_behind(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_games, "LOOK_SECONDS", 0.01)
    with running(2) as (here, there):
        there.play(game, Listener())
        here.watch(game, Listener())
        games, looking = here.games(), here.games()._looking
        here.watch(game, Listener())
        assert games._looking is looking
        assert (list(there.games()._peers), games._peers) == ([game.id], {})
        assert looking is not None
        for node in (here, there):
            node.leave()
        here.run(asyncio.wait_for(asyncio.shield(looking), 60))
        for left in (games, there.games()):
            assert (left._games, left._seats, left._watched, left._peers, left._looking) == ({}, {}, {}, {}, None)
        here.watch(game, Listener())
        assert games._looking is not None


def test_a_game_that_is_not_there_is_not_kept(game: Game) -> None:
    with running(1) as (node,):
        with pytest.raises(UnknownGame):
            node.run(requests.read_state("000000000000", game.player, timezone.now()))
        assert node.games()._games == {}
        node.games()._hear({"game": "000000000000", "by": "another", "kind": "changed"})


def test_whoever_is_superseded_here_leaves_the_seat_to_the_other_one(game: Game) -> None:
    ended: list[str] = []

    async def take_over() -> None:
        games = live_games.live_games()
        async with games.using(game.id, timezone.now()) as live:
            first = games.take_seat(live, lambda: ended.append("first"), 1.0)
            second = games.take_seat(live, lambda: ended.append("second"), 2.0)
            games.leave_seat(live, first)
            assert (ended, games._seats) == (["first"], {game.id: second})
            games.leave_seat(live, second)
            assert games._seats == {}

    with running(1) as (node,):
        node.run(take_over())


def test_whoever_came_earlier_and_took_longer_to_get_here_supersedes_nobody(game: Game) -> None:
    ended: list[str] = []
    with running(1) as (node,):
        node.play(game, Listener(), lambda: ended.append("later"), at=2.0)
        node.play(game, Listener(), lambda: ended.append("earlier"), at=1.0)
        assert ended == ["earlier"]
        [seat] = node.games()._seats.values()
        assert seat.taken_at[0] == 2.0


def test_whoever_came_earlier_at_another_process_is_superseded_when_the_other_hears_of_it(game: Game) -> None:
    ended = SimpleQueue[str]()
    with running(2) as (here, there):
        here.play(game, Listener(), lambda: ended.put("later"), at=2.0)
        there.play(game, Listener(), lambda: ended.put("earlier"), at=1.0)
        assert ended.get(timeout=180) == "earlier"
        assert here.games() is not there.games()  # which have heard of each other now
        assert ended.empty()


def test_whoever_stays_goes_on_watching_when_another_one_leaves(game: Game) -> None:
    async def watch() -> None:
        games = live_games.live_games()
        async with games.using(game.id, timezone.now()) as live, games.watching(live):
            async with games.watching(live):
                assert games._watched[live] == 2
            assert games._watched[live] == 1
            async with games.using(game.id, timezone.now()):
                pass
            assert games._games == {game.id: live}

    with running(1) as (node,):
        node.run(watch())


def test_whoever_takes_over_elsewhere_ends_the_connection_here_and_not_the_other_way_round(game: Game) -> None:
    ended: list[str] = []
    with running(2) as (here, there):
        here.play(game, Listener(), lambda: ended.append("here"))
        there.play(game, Listener(), lambda: ended.append("there"))
        for node in (here, there):
            node.games()
        assert ended == ["here"]
        there.games()._hear({"game": game.id, "by": "another", "kind": "taken", "at": 0.0})  # late
        assert ended == ["here"]


@pytest.mark.parametrize("told_by", ["here", "there"])
def test_of_two_devices_that_were_not_heard_of_the_first_is_closed_once_notices_come_again(
    game: Game, monkeypatch: pytest.MonkeyPatch, told_by: str
) -> None:
    ended = SimpleQueue[str]()
    with running(2) as (here, there):
        with monkeypatch.context() as lost:
            lost.setattr(PubSub, "publish", lambda *notice: None)
            here.play(game, Listener(), lambda: ended.put("here"), at=1.0)
            there.play(game, Listener(), lambda: ended.put("there"), at=2.0)
        node = {"here": here, "there": there}[told_by]
        games = node.games()
        node.loop.call_soon_threadsafe(games._tell_seats, {})
        assert ended.get(timeout=180) == "here"
        assert (len(here.games()._seats), len(there.games()._seats)) == (0, 1)
        assert ended.empty()


def test_moves_and_ends_are_seen_though_no_notice_comes(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PubSub, "publish", lambda *notice: None)
    monkeypatch.setattr(live_games, "LOOK_SECONDS", 0.01)
    bob = Listener()
    with running(2) as (here, there):
        there.run(requests.read_state(game.id, game.player, timezone.now()))
        live = here.watch(game, bob)
        there.run(requests.take_action(game.id, game.player, ActionInput(0, "D"), timezone.now()))
        assert bob.hear() == "played"
        there.run(requests.resign(game.id, game.player, 1, timezone.now()))
        assert bob.hear() == "finished"
        assert live.session.play.result is Outcome.RESIGNED


def test_an_action_refused_by_what_is_known_here_is_judged_by_the_log(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PubSub, "publish", lambda *notice: None)
    with running(2) as (here, there):
        live = here.play(game, Listener())
        there.run(requests.take_action(game.id, game.player, ActionInput(0, "D"), timezone.now()))
        with pytest.raises(StaleVersion):
            here.run(live.act(RECYCLE, 0, timezone.now()))
        there.run(requests.take_action(game.id, game.player, ActionInput(1, "D"), timezone.now()))
        assert live.session.play.version == 1
        here.run(live.act(DRAW, 2, timezone.now()))
        assert live.session.play.version == 3


def test_a_search_for_a_loss_is_forgotten_when_it_is_done(game: Game) -> None:
    def searches(node: Node) -> set[asyncio.Task[None]]:
        return {task for task in live_game._background if task.get_loop() is node.loop}

    async def finish(tasks: set[asyncio.Task[None]]) -> None:
        await asyncio.gather(*tasks)

    with running(1) as (node,):
        act(node, node.play(game, Listener()))
        node.run(finish(searches(node)))
        node.games()
        assert searches(node) == set()


def test_a_look_that_finds_nothing_new_reads_no_game_and_says_that_it_is_watched(
    game: Game, published: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, read, progress_of = SimpleQueue[object](), list[str](), live_games._progress_of

    def look(games: list[str]) -> list[tuple[str, int, str]]:
        looked.put(games)
        return progress_of(games)

    monkeypatch.setattr(live_games, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(live_games, "_progress_of", look)
    monkeypatch.setattr(loading, "changes_since", lambda game_id, version: read.append(game_id))
    with running(1) as (here,):
        here.watch(game, Listener())
        assert [looked.get(timeout=180) for _ in range(3)] == [[game.id]] * 3
    assert read == []
    assert published.count("watched") >= 4  # once at first, then before each look


def test_watchers_wait_for_a_database_that_does_not_answer(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PubSub, "publish", lambda *notice: None)
    monkeypatch.setattr(live_games, "LOOK_SECONDS", 0.01)
    bob, to_fail = Listener(), {live_games._progress_of, loading.changes_since}

    def fail_once(work: Callable[..., object]) -> Callable[..., object]:
        def working(*arguments: object) -> object:
            if work in to_fail:
                to_fail.remove(work)
                raise DatabaseError("no connection")
            return work(*arguments)

        return working

    with running(2) as (here, there):
        there.run(requests.read_state(game.id, game.player, timezone.now()))
        here.watch(game, bob)
        monkeypatch.setattr(live_games, "_progress_of", fail_once(live_games._progress_of))
        monkeypatch.setattr(loading, "changes_since", fail_once(loading.changes_since))
        there.run(requests.take_action(game.id, game.player, ActionInput(0, "D"), timezone.now()))
        assert bob.hear() == "played"
    assert to_fail == set()
