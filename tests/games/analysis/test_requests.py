"""The life of an analysis: asked for, claimed by one worker, computed once, kept."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from io import StringIO
from unittest.mock import Mock

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from games.analysis import requests
from games.analysis.models import GameAnalysis
from games.analysis.refusals import AnalysisNotYet
from games.analysis.requests import compute_analyses, compute_analysis, request_analysis
from games.calendar.models import DailyDeal, Deal
from games.play.models import Game, Move
from games.play.starting import start_ranked
from games.players.models import Player
from games.rules import Action, Suits
from games.solver import solution
from tests.games.conftest import DECK
from tests.games.play.test_replay_command import play
from tests.games.ways_to_play import commit, open_session

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def alices_game(alice: Player, now: datetime) -> Game:
    """A resigned practice game with a good draw, taken back."""
    deal = Deal.objects.create(rules="relaxed", deck=DECK, created_at=now)
    game = Game.objects.create(player=alice, deal=deal, created_at=now)
    play(game, "AcQc D U Kh", now)
    commit(open_session(game, now).resign(4, now))
    return game


@pytest.fixture
def requested(alices_game: Game, alice: Player, now: datetime) -> GameAnalysis:
    return request_analysis(alices_game.id, alice, now)


def show(game: str, at: datetime) -> str:
    output = StringIO()
    with time_machine.travel(at, tick=False):
        call_command("analyse", game, stdout=output)
    return output.getvalue()


def test_an_analysis_is_asked_for_once_whoever_asks(
    requested: GameAnalysis, alices_game: Game, bob: Player, now: datetime
) -> None:
    assert request_analysis(alices_game.id, bob, now + timedelta(hours=1)) == requested
    assert (requested.state, requested.created_at, requested.result) == ("pending", now, None)


def test_what_was_solved_of_a_deal_is_not_solved_again_in_other_suits(
    requested: GameAnalysis, alices_game: Game, bob: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests._known.cache_clear()
    compute_analysis(requested, now)
    suits = Suits("dcsh" * 13)
    other = Game.objects.create(player=bob, deal=alices_game.deal, suits=suits.text, created_at=now)
    play(other, " ".join(suits.of_action(Action.from_text(text)).text for text in ("AcQc", "D", "U", "Kh")), now)
    commit(open_session(other, now).resign(4, now))
    monkeypatch.setattr(solution, "solve", Mock(side_effect=AssertionError("it is known")))
    again = request_analysis(other.id, bob, now)
    compute_analysis(again, now)
    bobs, alices = again.result or {}, requested.result or {}
    assert (again.state, bobs["shortest"]) == ("done", alices["shortest"])
    for own, first in zip(bobs["steps"], alices["steps"], strict=True):
        assert own["best"] == suits.of_action(Action.from_text(first["best"])).text
        assert (own["before"], own["after"], own["cost"]) == (first["before"], first["after"], first["cost"])


def test_players_take_turns_however_many_analyses_one_of_them_asks_for(
    alice: Player, bob: Player, mallory: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(player: Player, seconds: int) -> GameAnalysis:
        deal = Deal.objects.create(rules="relaxed", deck=DECK, created_at=now)
        game = Game.objects.create(player=player, deal=deal, created_at=now)
        commit(open_session(game, now).resign(0, now))
        return request_analysis(game.id, player, now + timedelta(seconds=seconds))

    monkeypatch.setattr(requests, "ANALYSES_AT_ONCE", 1)
    asked = [ask(mallory, number) for number in range(4)]
    asked += [ask(alice, 10), ask(bob, 11)]
    at, order = now, []
    while compute_analyses(at := at + timedelta(minutes=1)):
        order += [row.asked_by for row in GameAnalysis.objects.filter(claimed_at=at)]
    assert order == [mallory, alice, bob, mallory, mallory, mallory]
    assert len(order) == len(asked)


def test_nobody_has_two_analyses_computed_at_the_same_time(
    requested: GameAnalysis, alice: Player, bob: Player, now: datetime
) -> None:
    assert requested.claim(now)
    game = Game.objects.get()
    for player in (alice, bob):
        again = Game.objects.create(player=player, deal=game.deal, created_at=now)
        commit(open_session(again, now).resign(0, now))
        request_analysis(again.id, player, now)
    assert requests._next(now) == GameAnalysis.objects.get(asked_by=bob)
    GameAnalysis.objects.filter(asked_by=bob).delete()
    assert requests._next(now) is None
    assert requests._next(now + GameAnalysis.LEASE) == requested


def test_an_analysis_is_computed_once(requested: GameAnalysis, now: datetime) -> None:
    assert (compute_analyses(now), compute_analyses(now)) == (1, 0)
    requested.refresh_from_db()
    assert (requested.state, requested.done, requested.total) == ("done", 4, 4)
    assert requested.finished_at is not None
    assert requested.finished_at >= now
    assert requested.result is not None
    assert [step["cost"] for step in requested.result["steps"]] == [0, 0, 2, 0]


def test_a_second_worker_leaves_a_claimed_analysis_alone_until_the_first_must_be_dead(
    requested: GameAnalysis, now: datetime
) -> None:
    GameAnalysis.objects.update(claimed_at=now)
    assert compute_analyses(now + GameAnalysis.LEASE - timedelta(microseconds=1)) == 0
    assert compute_analyses(now + GameAnalysis.LEASE) == 1


def test_of_two_workers_that_look_at_once_one_gets_the_analysis(requested: GameAnalysis, now: datetime) -> None:
    same = GameAnalysis.objects.get(pk=requested.pk)
    assert [row.claim(now) for row in (requested, same)] == [True, False]


def test_a_worker_that_comes_late_changes_nothing(requested: GameAnalysis, now: datetime) -> None:
    compute_analyses(now)
    kept = GameAnalysis.objects.values().get()
    compute_analysis(requested, now + GameAnalysis.LEASE)
    assert GameAnalysis.objects.values().get() == kept


def test_a_log_that_breaks_the_rules_fails_and_does_not_stop_the_others(
    alice: Player, now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    deal = Deal.objects.create(rules="relaxed", deck=DECK, created_at=now)
    for action in ("R", "D"):
        game = Game.objects.create(player=alice, deal=deal, created_at=now)
        Move.objects.create(game=game, version=1, action=action, at_ms=0)
        summary = dict.fromkeys(("elapsed_ms", "draws", "recycles", "undos", "hints"), 0)
        Game.objects.filter(pk=game.pk).update(status="resigned", finished_at=now, moves=1, cards_left=28, **summary)
        request_analysis(game.id, alice, now)
    with caplog.at_level(logging.CRITICAL):
        assert compute_analyses(now) == 2
    assert sorted(GameAnalysis.objects.values_list("state", flat=True)) == ["done", "failed"]


def test_the_database_holds_no_result_of_an_analysis_that_is_not_done(requested: GameAnalysis) -> None:
    with pytest.raises(IntegrityError):
        GameAnalysis.objects.update(result={})


def test_an_open_daily_is_analysed_for_nobody(alice: Player, daily: DailyDeal, now: datetime) -> None:
    game = start_ranked(alice, "standard", now)
    play(game, "D", now)
    commit(open_session(game, now).resign(1, now))
    with pytest.raises(AnalysisNotYet):
        request_analysis(game.id, alice, now)
    with pytest.raises(CommandError, match="can still be played"):
        show(game.id, daily.key.finish_by - timedelta(milliseconds=1))
    assert "shortest" in show(game.id, daily.key.finish_by)


def test_the_command_shows_what_each_action_did(alices_game: Game, now: datetime) -> None:
    first, *_ = shown = show(alices_game.id, now).splitlines()
    assert first == "shortest   32"
    assert shown[1:3] == ["lost at    -", "accuracy   100.0"]
    assert [line.split()[:6] for line in shown[5:]] == [
        ["1", "AcQc", "32", "31", "+0", "best"],
        ["2", "D", "31", "30", "+0", "best"],
        ["3!", "U", "30", "31", "+2", "slower"],
        ["4", "Kh", "31", "30", "+0", "best"],
    ]
    assert show(alices_game.id, now).splitlines() == shown
    assert GameAnalysis.objects.get().state == "done"


def test_the_command_refuses_a_game_that_does_not_exist(db: None) -> None:
    with pytest.raises(CommandError, match="there is no game 'nonsense'"):
        call_command("analyse", "nonsense")
