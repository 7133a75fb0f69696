"""A live game whose memory differs from the database follows the database, and all subscribers hear of it."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime

import pytest
from django.db import OperationalError
from django.utils import timezone

from games.calendar.models import DailyDeal
from games.hints.losses import Loss
from games.personal_data.erasure import erase_player
from games.play import journal
from games.play.live import hints, live_game, live_games, loading, requests
from games.play.live.hints import LossNotices
from games.play.models import Game
from games.play.refusals import Conflict, UnknownGame
from games.play.session import Change
from games.play.sessions import expire
from games.play.starting import start_practice, start_ranked
from games.play.wire import ActionInput
from games.players.models import Player
from games.rules import DRAW, UNDO, Outcome, TimedAction
from games.runtime.pubsub import PubSub
from tests.calendar import prepared_dailies
from tests.games.play.nodes import Listener, Node, running

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def _no_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have processes hear nothing of each other."""
    monkeypatch.setattr(PubSub, "publish", lambda *notice: None)


@pytest.fixture
def daily(db: None) -> DailyDeal:
    now = timezone.now()
    return next(daily for daily in prepared_dailies(now) if (daily.day, daily.division) == (now.date(), "open"))


def play(node: Node, game: Game, *actions: str) -> None:
    """Take actions at a node, from its player's first look at the game on."""
    node.run(requests.read_state(game.id, game.player, timezone.now()))
    for version, action in enumerate(actions):
        node.run(requests.take_action(game.id, game.player, ActionInput(version, action), timezone.now()))


@pytest.mark.usefixtures("_no_notices")
def test_a_game_is_given_up_here_at_the_version_that_it_has_elsewhere(alice: Player) -> None:
    game = start_practice(alice, "standard", timezone.now())
    with running(2) as (here, there):
        live = here.keep(game)
        play(there, game, "D", "D")
        here.run(live.give_up(timezone.now()))
        assert (live.session.play.version, live.session.play.result) == (2, Outcome.RESIGNED)


@pytest.mark.usefixtures("_no_notices")
def test_whoever_sends_what_was_sent_elsewhere_hears_all_that_was(alice: Player) -> None:
    game, listener = start_practice(alice, "standard", timezone.now()), Listener()
    with running(2) as (here, there):
        live = here.play(game, listener)
        play(there, game, "D", "D")
        assert here.run(live.act(DRAW, 0, timezone.now(), by=listener)).repeated
    assert listener.told == [(1, "D"), (2, "D")]


def test_an_action_that_others_keep_forestalling_is_refused(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    async def forestalled(change: object) -> None:
        raise Conflict("somebody else was first")

    game = start_practice(alice, "standard", timezone.now())
    with running(1) as (node,):
        live = node.play(game, Listener())
        monkeypatch.setattr(journal, "write", forestalled)
        with pytest.raises(Conflict, match="keeps changing elsewhere"):
            node.run(live.act(DRAW, 0, timezone.now()))


def test_a_game_in_memory_is_read_again_if_no_server_was_up_meanwhile(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, load, loaded = start_practice(alice, "standard", timezone.now()), loading.load, []

    def counted(game_id: str, now: datetime) -> loading.Loaded:
        loaded.append(game_id)
        return load(game_id, now)

    monkeypatch.setattr(loading, "load", counted)
    with running(1) as (node,):
        live = node.play(game, Listener())
        monkeypatch.setattr(live_game, "was_up_since", lambda moment: False)
        node.run(live.act(DRAW, 0, timezone.now()))
    assert loaded == [game.id] * 2


def test_a_game_that_is_only_looked_at_ends_in_time(alice: Player, daily: DailyDeal) -> None:
    game = start_ranked(alice, "standard", timezone.now())
    with running(1) as (node,):
        live = node.keep(game)
        node.run(live.catch_up(daily.key.finish_by))
    game.refresh_from_db()
    assert game.status == Game.Status.EXPIRED


@pytest.mark.usefixtures("_no_notices")
def test_a_game_that_the_worker_has_ended_is_over_here_too(alice: Player, daily: DailyDeal) -> None:
    game = start_ranked(alice, "standard", timezone.now())
    with running(1) as (node,):
        live = node.keep(game)
        expire([game.id], daily.key.finish_by)
        node.run(live.load(daily.key.finish_by))
        assert live.durable.play.result is Outcome.EXPIRED


@pytest.mark.usefixtures("_no_notices")
def test_a_log_that_does_not_go_on_from_memory_is_read_from_the_beginning(alice: Player) -> None:
    game = start_practice(alice, "standard", timezone.now())
    with running(2) as (here, there):
        live = here.play(game, Listener())
        for version, action in enumerate((DRAW, UNDO)):
            live.session.act(action, version, timezone.now())
        play(there, game, "D", "D", "U")
        here.run(live.catch_up(datetime.now(UTC)))
        assert [timed.action.text for timed in live.session.play.actions] == ["D", "D", "U"]


def test_watchers_hear_of_an_action_whose_commit_was_not_acknowledged(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = journal.write

    async def write_and_lose_the_answer(change: Change) -> None:
        await write(change)
        raise OperationalError("the connection was lost")

    monkeypatch.setattr(live_games, "LOOK_SECONDS", 0.01)
    game, player, watcher = start_practice(alice, "standard", timezone.now()), Listener(), Listener()
    with running(1) as (node,):
        live = node.play(game, player)
        node.watch(game, watcher)
        monkeypatch.setattr(journal, "write", write_and_lose_the_answer)
        with pytest.raises(OperationalError):
            node.run(live.act(DRAW, 0, timezone.now(), by=player))
        assert watcher.hear() == "played"


def test_an_action_that_was_never_committed_is_not_judged(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    may_follow, follow = threading.Event(), LossNotices._follow

    def follow_later(notices: LossNotices, actions: list[TimedAction]) -> Loss | None:
        may_follow.wait(60)
        return follow(notices, actions)

    async def fail(change: Change) -> None:
        may_follow.set()
        await asyncio.wait({task for task in live_game._background if task.get_loop() is asyncio.get_running_loop()})
        raise OperationalError("nothing was written")

    monkeypatch.setattr(LossNotices, "_follow", follow_later)
    monkeypatch.setattr(hints, "NOTICE_SECONDS", 120)
    game = start_practice(alice, "standard", timezone.now())
    with running(1) as (node,):
        live = node.play(game, Listener())
        node.run(live.act(DRAW, 0, timezone.now()))
        monkeypatch.setattr(journal, "write", fail)
        with pytest.raises(OperationalError):
            node.run(live.act(DRAW, 1, timezone.now()))
        assert live._notices is not None
        assert live._notices._play.version == 1


def test_what_is_shown_while_an_action_is_written_is_the_game_before_it_made_once(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, write = list[int](), journal.write

    async def look_and_write(change: Change) -> None:
        shown.append(live.durable.play.version)
        assert live.durable is live.durable
        await write(change)

    monkeypatch.setattr(journal, "write", look_and_write)
    game = start_practice(alice, "standard", timezone.now())
    with running(1) as (node,):
        live = node.play(game, Listener())
        for version in (0, 1, 2):
            node.run(live.act(DRAW, version, timezone.now()))
        assert live.durable is live.session
    assert shown == [0, 1, 2]


def test_a_game_that_was_deleted_meanwhile_is_unknown(alice: Player) -> None:
    async def hear_of_it() -> None:
        games = live_games.live_games()
        games._hear({"game": game.id, "by": "another", "kind": "changed"})
        await asyncio.gather(*games._tasks)

    game = start_practice(alice, "standard", timezone.now())
    with running(1) as (node,):
        node.watch(game, Listener())
        erase_player(alice, "closed", None, timezone.now())
        node.run(hear_of_it())
        with pytest.raises(UnknownGame):
            node.run(requests.read_state(game.id, alice, timezone.now()))
