"""One game acted on from two places at once: every acknowledged action is in the log, once; nobody gets an error."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from datetime import UTC, datetime
from random import Random

import pytest
from django.test import override_settings
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.play import wire
from games.play.live import live_game, loading, requests
from games.play.live.live_game import LiveGame
from games.play.live.live_games import live_games
from games.play.models import Game
from games.play.refusals import NotBegun, StaleVersion
from games.play.scores import Placement, game_finished
from games.play.starting import start_practice
from games.play.wire import ActionInput
from games.players.models import Player
from games.rules import DRAW, GameOver, IllegalMove, Outcome
from games.runtime.pubsub import PubSub
from tests.games.play.nodes import Listener, Node, running

pytestmark = pytest.mark.django_db(transaction=True)


def play_by_chance(node: Node, game: Game, seed: int) -> list[tuple[int, str]]:
    """Play a dozen actions and return those that were acknowledged, each with its version."""
    chance, acknowledged = Random(seed), []
    state: wire.State | wire.ActionTaken = node.run(requests.read_state(game.id, game.player, timezone.now()))
    for _ in range(12):
        action = chance.choice([*state.legal, "U", "Y"])
        try:
            command = ActionInput(state.version, action)
            state = node.run(requests.take_action(game.id, game.player, command, timezone.now()))
            acknowledged.append((state.version, state.move))
        except (StaleVersion, IllegalMove, GameOver):
            state = node.run(requests.read_state(game.id, game.player, timezone.now()))
    return acknowledged


@override_settings(PYRAMID_OPEN_PRACTICE_GAMES=10_000)
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), is_kept=st.booleans())
def test_two_nodes_that_play_one_game_at_once_never_disagree_with_the_log(
    seed: int, is_kept: bool, alice: Player
) -> None:
    game = start_practice(alice, "standard", timezone.now())
    with running(2) as nodes:
        live = [node.keep(game) for node in nodes] if is_kept else []
        played: list[list[tuple[int, str]]] = [[], []]

        def play(number: int) -> None:
            played[number] = play_by_chance(nodes[number], game, seed + number)

        threads = [threading.Thread(target=play, args=[number]) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        log = [(row.version, row.action) for row in game.whole_log()]
        assert set(log) == {action for actions in played for action in actions}
        for node, here in zip(nodes, live, strict=False):
            node.run(here.catch_up(datetime.now(UTC)))
            assert [timed.action.text for timed in here.session.play.actions] == [action for _, action in log]


def test_the_very_same_action_asked_for_twice_at_once_gets_the_same_answer_twice(alice: Player) -> None:
    game = start_practice(alice, "standard", timezone.now())
    with running(2) as nodes:
        nodes[0].run(requests.read_state(game.id, alice, timezone.now()))
        asked = [
            asyncio.run_coroutine_threadsafe(
                requests.take_action(game.id, alice, ActionInput(0, "D"), timezone.now()), node.loop
            )
            for node in [*nodes, *nodes]
        ]
        answers = [answer.result(60) for answer in asked]
    assert answers == [answers[0]] * 4
    assert len(game.whole_log()) == 1


def test_a_move_chosen_at_an_old_version_is_stale_even_where_it_has_become_illegal(alice: Player) -> None:
    game = start_practice(alice, "standard", timezone.now())
    with running(2) as (here, there):
        state = here.run(requests.read_state(game.id, alice, timezone.now()))
        here.keep(game)
        there.run(requests.take_action(game.id, alice, ActionInput(0, "D"), timezone.now()))
        with pytest.raises(StaleVersion):
            here.run(requests.take_action(game.id, alice, ActionInput(state.version, "R"), timezone.now()))
        assert here.run(requests.read_state(game.id, alice, timezone.now())).version == 1


def test_what_was_done_elsewhere_is_told_in_order_once_and_without_gaps(alice: Player) -> None:
    game = start_practice(alice, "standard", timezone.now())
    listener = Listener()
    with running(2) as (here, there):
        live = here.keep(game)
        live.subscribers.add(listener)
        there.run(requests.read_state(game.id, alice, timezone.now()))
        for count in (1, 3):
            for _ in range(count):
                version = len(game.whole_log())
                there.run(requests.take_action(game.id, alice, ActionInput(version, "D"), timezone.now()))
            here.run(live.catch_up(datetime.now(UTC)))
            here.run(live.catch_up(datetime.now(UTC)))
            assert len(listener.told) == len(game.whole_log())
        there.run(requests.take_action(game.id, alice, ActionInput(4, "U"), timezone.now()))
        here.run(requests.take_action(game.id, alice, ActionInput(5, "D"), timezone.now()))
    assert listener.told == [(1, "D"), (2, "D"), (3, "D"), (4, "D"), (5, "U"), (6, "D")]


def test_an_end_elsewhere_is_told_here_once(alice: Player) -> None:
    game = start_practice(alice, "standard", timezone.now())
    listener = Listener()
    with running(2) as (here, there):
        live = here.keep(game)
        live.subscribers.add(listener)
        there.run(requests.resign(game.id, alice, 0, timezone.now()))
        for _ in range(2):
            here.run(live.catch_up(datetime.now(UTC)))
            here.run(live.end_published())
        assert live.session.play.result is Outcome.RESIGNED
    assert listener.others == ["finished"]


def test_a_game_in_memory_is_never_read_again(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    game, load, loaded = start_practice(alice, "standard", timezone.now()), loading.load, []

    def counted(game_id: str, now: datetime) -> loading.Loaded:
        loaded.append(game_id)
        return load(game_id, now)

    monkeypatch.setattr(loading, "load", counted)
    monkeypatch.setattr(live_game, "was_up_since", lambda moment: True)
    with running(1) as (node,):
        live = node.keep(game)
        node.run(live.begin(timezone.now()))
        changes = [node.run(live.act(DRAW, version, timezone.now())) for version in range(3)]
    assert [change.repeated for change in changes] == [False] * 3
    assert loaded == [game.id]


def test_a_game_stays_in_memory_until_its_end_is_published(alice: Player) -> None:
    game, placements = start_practice(alice, "standard", timezone.now()), Future[list[Placement]]()

    def enter_slowly(**signal: object) -> Future[list[Placement]]:
        return placements

    async def resign() -> list[dict[str, LiveGame]]:
        async with live_games().using(game.id, timezone.now()) as live:
            await live.resign(0, timezone.now())
        kept = dict(live_games()._games)
        placements.set_result([])
        await live.end_published()
        return [kept, live_games()._games]

    game_finished.connect(enter_slowly)
    try:
        with running(1) as (node,):
            kept, left = node.run(resign())
    finally:
        game_finished.disconnect(enter_slowly)
    assert (list(kept), left) == ([game.id], {})


def test_a_game_that_was_begun_elsewhere_is_played_here(alice: Player) -> None:
    game = start_practice(alice, "standard", timezone.now())
    with running(2) as (here, there):
        here.keep(game)
        with pytest.raises(NotBegun):
            here.run(requests.take_action(game.id, alice, ActionInput(0, "D"), timezone.now()))
        there.run(requests.read_state(game.id, alice, timezone.now()))
        assert here.run(requests.take_action(game.id, alice, ActionInput(0, "D"), timezone.now())).version == 1


def test_whoever_comes_back_to_a_node_that_watches_sees_every_move_though_no_notice_came(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = start_practice(alice, "standard", timezone.now())
    with running(2) as (here, there):
        here.run(requests.read_state(game.id, alice, timezone.now()))
        there.keep(game)
        monkeypatch.setattr(PubSub, "publish", lambda *notice: None)
        here.run(requests.take_action(game.id, alice, ActionInput(0, "D"), timezone.now()))
        assert there.run(requests.read_state(game.id, alice, timezone.now())).version == 1


def test_a_game_that_nobody_is_connected_to_is_dropped(alice: Player) -> None:
    game = start_practice(alice, "standard", timezone.now())
    with running(1) as (node,):
        node.run(requests.read_state(game.id, alice, timezone.now()))
        node.run(requests.resign(game.id, alice, 0, timezone.now()))

        async def games() -> dict[str, LiveGame]:
            return live_games()._games

        assert node.run(games()) == {}
