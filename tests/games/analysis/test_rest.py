from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from games.analysis.models import GameAnalysis
from games.analysis.requests import compute_analyses
from games.play.models import Game
from tests.games.api import Api, refusal
from tests.games.conftest import WINNING_LINE
from tests.games.play.test_rest import play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]

FINISH_BY = datetime(2026, 3, 2, 0, 30, tzinfo=UTC)
NOT_YET, NOT_YOURS = (409, "analysis_not_yet"), (403, "not_yours")


def address(game: str) -> str:
    return f"/api/games/{game}/analysis/"


def test_alice_asks_waits_and_gets_the_analysis_of_her_game(as_alice: Api, alices_game: str, now: datetime) -> None:
    play(as_alice, alices_game, WINNING_LINE.split())
    for _ in range(2):
        asked = as_alice.get(address(alices_game))
        assert asked.status_code == 202
        assert asked.json() == {"state": "pending", "done": 0, "total": 0, "analysis": None}
    assert compute_analyses(now) == 1
    answer = as_alice.get(address(alices_game))
    assert (answer.status_code, answer.json()["state"], answer.json()["done"]) == (200, "done", 35)
    analysis = answer.json()["analysis"]
    assert (analysis["shortest"], analysis["lost_at"], len(analysis["steps"])) == (32, None, 34)
    assert [step["action"] for step in analysis["steps"]] == WINNING_LINE.split()


def test_a_game_with_a_redo_has_an_analysis_too(as_alice: Api, alices_game: str, now: datetime) -> None:
    play(as_alice, alices_game, ["AcQc", "U", "Y"])
    as_alice.resign(alices_game, 3)
    as_alice.get(address(alices_game))
    compute_analyses(now)
    answer = as_alice.get(address(alices_game))
    assert answer.status_code == 200
    assert answer.json()["analysis"]["steps"][-1]["best"] == "Y"


def test_progress_is_told_while_a_worker_is_at_it(as_alice: Api, alices_game: str) -> None:
    as_alice.resign(alices_game)
    as_alice.get(address(alices_game))
    GameAnalysis.objects.update(done=3, total=9)
    assert as_alice.get(address(alices_game)).json() == {"state": "pending", "done": 3, "total": 9, "analysis": None}


def test_an_analysis_that_failed_says_so(as_alice: Api, alices_game: str, now: datetime) -> None:
    as_alice.resign(alices_game)
    as_alice.get(address(alices_game))
    GameAnalysis.objects.update(state="failed", finished_at=now)
    answer = as_alice.get(address(alices_game))
    assert (answer.status_code, answer.json()["state"], answer.json()["analysis"]) == (200, "failed", None)


def test_a_game_that_is_being_played_has_no_analysis(as_alice: Api, alices_game: str) -> None:
    as_alice.act(alices_game, 0, "D")
    assert refusal(as_alice.get(address(alices_game))) == NOT_YET
    assert not GameAnalysis.objects.exists()


def test_mallory_cannot_have_a_deal_analysed_that_she_goes_on_playing(
    as_alice: Api, alices_game: str, now: datetime
) -> None:
    as_alice.resign(alices_game)
    as_alice.get(address(alices_game))
    compute_analyses(now)
    second = as_alice.post(f"/api/games/{alices_game}/restart/").json()["id"]
    assert refusal(as_alice.get(address(alices_game))) == NOT_YET
    as_alice.resign(second)
    assert as_alice.get(address(alices_game)).status_code == 200


@pytest.mark.usefixtures("dailies")
def test_mallory_cannot_have_her_attempt_at_an_open_daily_analysed(
    as_mallory: Api, as_bob: Api, clock: time_machine.Traveller
) -> None:
    game = as_mallory.start("daily", "standard")
    as_mallory.act(game, 0, "D")
    as_mallory.resign(game, 1)
    for at in (FINISH_BY - timedelta(hours=12), FINISH_BY - timedelta(milliseconds=1)):
        clock.move_to(at)
        refused = as_mallory.get(address(game))
        assert refusal(refused) == NOT_YET
        assert set(refused.json()) == {"code", "message"}
        assert refusal(as_bob.get(address(game))) == NOT_YOURS
    assert not GameAnalysis.objects.exists()
    clock.move_to(FINISH_BY)
    assert as_mallory.get(address(game)).status_code == 202
    assert as_bob.get(address(game)).status_code == 202


@pytest.mark.usefixtures("dailies")
def test_an_attempt_that_ran_out_of_time_is_analysed_once_it_has_ended(
    as_alice: Api, clock: time_machine.Traveller
) -> None:
    game = as_alice.start("daily", "standard")
    as_alice.act(game, 0, "D")
    clock.move_to(FINISH_BY)
    assert refusal(as_alice.get(address(game))) == NOT_YET
    as_alice.state(game)
    assert Game.objects.get(pk=game).status == "expired"
    assert as_alice.get(address(game)).status_code == 202


def test_nobody_and_no_game_is_refused(anyone: Api, as_alice: Api, alices_game: str) -> None:
    as_alice.resign(alices_game)
    assert refusal(anyone.get(address(alices_game))) == (401, "not_signed_in")
    assert refusal(as_alice.get(address("nonsense"))) == (404, "unknown_game")
    assert not GameAnalysis.objects.exists()
