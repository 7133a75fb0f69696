from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from games.play.models import Game, Move
from tests.games.api import Api, refusal
from tests.games.conftest import WINNING_LINE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]

SECOND = timedelta(seconds=1)
WINNING = WINNING_LINE.split()
FINISH_BY = datetime(2026, 3, 2, 0, 30, tzinfo=UTC)


def play(api: Api, game: str, actions: list[str]) -> Any:
    """Play actions from the start and return the last answer."""
    answer = None
    for version, action in enumerate(actions):
        response = api.act(game, version, action)
        assert response.status_code == 200, response.json()
        answer = response.json()
    return answer


def test_the_first_look_at_the_layout_starts_the_clock(
    as_alice: Api, alices_game: str, clock: time_machine.Traveller
) -> None:
    clock.shift(60 * SECOND)
    state = as_alice.state(alices_game)
    assert state == {
        "type": "state",
        "game": alices_game,
        "version": 0,
        "rules": "relaxed",
        "position": "5c/QsKc/7s6c2c/9s2hQhTh/2s9hTcJs6d/6s4s3h5d8c5h/9dQcKh9cAc7dAd |Ts" + "??" * 23 + " 2",
        "legal": ["AcQc", "AdQc", "D", "Kh"],
        "moves": 0,
        "elapsed_ms": 0,
        "outcome": None,
        "result": "*",
    }
    clock.shift(SECOND)
    assert as_alice.state(alices_game) == {**state, "elapsed_ms": 1000}
    assert as_alice.get(f"/api/games/{alices_game}/").json()["started_at"] == "2026-03-01T12:01:00Z"


def test_asking_for_the_head_of_the_state_does_not_start_the_clock(as_alice: Api, alices_game: str) -> None:
    assert as_alice.head(f"/api/games/{alices_game}/state/").status_code == 405
    assert as_alice.get(f"/api/games/{alices_game}/").json()["started_at"] is None


def test_an_action_says_what_it_did(as_alice: Api, alices_game: str, clock: time_machine.Traveller) -> None:
    as_alice.state(alices_game)
    clock.shift(1.5 * SECOND)
    assert as_alice.act(alices_game, 0, "D", client_ms=1490).json() == {
        "type": "played",
        "id": None,
        "version": 1,
        "move": "D",
        "revealed": ["Ks"],
        "legal": ["AcQc", "AdQc", "D", "Kh", "Ks"],
        "moves": 1,
        "at_ms": 1500,
        "outcome": None,
        "hint": None,
        "finished": None,
    }
    assert Move.objects.get(game=alices_game).client_ms == 1490


def test_an_action_is_read_leniently_and_answered_canonically(as_alice: Api, alices_game: str) -> None:
    spellings = {"Qc ac": "AcQc", " KH": "Kh", "u": "U", "y": "Y"}
    answers = [as_alice.act(alices_game, version, text).json()["move"] for version, text in enumerate(spellings)]
    assert answers == list(spellings.values())


def test_alice_undoes_and_redoes_and_each_is_a_move(as_alice: Api, alices_game: str) -> None:
    before = as_alice.state(alices_game)
    undone = play(as_alice, alices_game, ["AcQc", "U"])
    assert (undone["version"], undone["moves"], undone["legal"]) == (2, 2, before["legal"])
    assert as_alice.act(alices_game, 2, "Y").json()["moves"] == 3
    assert refusal(as_alice.act(alices_game, 3, "Y")) == (409, "illegal_move")


def test_alice_wins_and_the_summary_is_kept(as_alice: Api, alices_game: str, clock: time_machine.Traveller) -> None:
    as_alice.state(alices_game)
    clock.shift(90 * SECOND)
    won = play(as_alice, alices_game, WINNING)
    finished = {"type": "finished", "version": 34, "result": "won", "moves": 34, "elapsed_ms": 90_000, "cards_left": 0}
    assert (won["legal"], won["outcome"], won["finished"]) == ([], "won", finished)
    game = as_alice.get(f"/api/games/{alices_game}/").json()
    assert (game["status"], game["cards_left"], game["moves"], game["draws"]) == ("won", 0, 34, 9)
    assert as_alice.state(alices_game)["result"] == "won"


def test_the_winning_move_sent_again_gets_the_same_answer(as_alice: Api, alices_game: str) -> None:
    won = play(as_alice, alices_game, WINNING)
    assert as_alice.act(alices_game, len(WINNING) - 1, WINNING[-1]).json() == won


def test_an_action_sent_again_gets_the_same_answer_and_is_not_taken_twice(
    as_alice: Api, alices_game: str, clock: time_machine.Traveller
) -> None:
    as_alice.state(alices_game)
    first = as_alice.act(alices_game, 0, "D").json()
    clock.shift(SECOND)
    as_alice.act(alices_game, 1, "D")
    assert as_alice.act(alices_game, 0, "D").json() == first
    assert Move.objects.filter(game=alices_game).count() == 2


def test_another_action_at_an_old_or_coming_version_is_stale(as_alice: Api, alices_game: str) -> None:
    as_alice.act(alices_game, 0, "D")
    for version in (0, 2, 2**31 - 1):
        assert refusal(as_alice.act(alices_game, version, "Kh")) == (409, "stale_version")
        assert refusal(as_alice.resign(alices_game, version)) == (409, "stale_version")
    assert as_alice.state(alices_game)["version"] == 1


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("9s9h", "illegal_move"),
        ("5c", "illegal_move"),
        ("R", "illegal_move"),
        ("U", "illegal_move"),
        ("PKh", "illegal_move"),
        ("KhKh", "bad_notation"),
        ("4x9s", "bad_notation"),
        ("9s", "illegal_move"),
        ("D D", "bad_notation"),
        ("??", "bad_notation"),
        ("--", "bad_notation"),
        ("\u212ah", "bad_notation"),  # the Kelvin sign, which looks like a K and is one in lower case
        ("4\u017f9s", "bad_notation"),  # the long s
        ("\uff14s9s", "bad_notation"),  # a full-width 4
    ],
)
def test_a_refused_action_changes_nothing(as_alice: Api, alices_game: str, action: str, code: str) -> None:
    before = as_alice.state(alices_game)
    response = as_alice.act(alices_game, 0, action)
    assert response.json()["code"] == code
    assert as_alice.state(alices_game) == before
    assert not Move.objects.exists()


def test_alice_resigns_and_nothing_more_can_be_done(as_alice: Api, alices_game: str) -> None:
    as_alice.act(alices_game, 0, "AcQc")
    resigned = as_alice.resign(alices_game, 1)
    assert resigned.json() == {
        "type": "finished",
        "version": 1,
        "result": "resigned",
        "moves": 1,
        "elapsed_ms": 0,
        "cards_left": 26,
    }
    assert as_alice.state(alices_game)["legal"] == []
    for response in (
        as_alice.act(alices_game, 1, "D"),
        as_alice.act(alices_game, 1, "U"),
    ):
        assert refusal(response) == (409, "game_over")
    assert as_alice.resign(alices_game, 1).json() == resigned.json()


def test_an_action_before_the_first_look_reveals_nothing(as_alice: Api, alices_game: str) -> None:
    response = as_alice.post(f"/api/games/{alices_game}/actions/", {"version": 0, "action": "D"})
    assert refusal(response) == (409, "not_begun")
    assert as_alice.get(f"/api/games/{alices_game}/").json()["started_at"] is None
    assert not Move.objects.exists()


def test_a_game_that_was_resigned_before_it_began_is_over_and_not_yet_to_begin(as_alice: Api, alices_game: str) -> None:
    as_alice.resign(alices_game, 0)
    actions = f"/api/games/{alices_game}/actions/"
    assert refusal(as_alice.post(actions, {"version": 0, "action": "D"})) == (409, "game_over")
    assert as_alice.get(f"/api/games/{alices_game}/").json()["started_at"] is None


@pytest.mark.usefixtures("dailies")
def test_an_attempt_can_be_played_until_finish_by_and_expires_then(
    as_alice: Api, clock: time_machine.Traveller
) -> None:
    game = as_alice.start("daily", "standard")
    as_alice.state(game)
    clock.move_to(FINISH_BY - timedelta(milliseconds=1))
    assert as_alice.act(game, 0, "D").status_code == 200
    clock.move_to(FINISH_BY)
    assert refusal(as_alice.act(game, 1, "D")) == (409, "game_over")
    assert Game.objects.get(pk=game).status == "expired"
    assert as_alice.state(game)["result"] == "expired"


@pytest.mark.usefixtures("dailies")
def test_looking_at_an_overdue_attempt_expires_it(as_alice: Api, clock: time_machine.Traveller) -> None:
    game = as_alice.start("daily", "standard")
    as_alice.act(game, 0, "D")
    clock.move_to(FINISH_BY)
    assert as_alice.state(game)["result"] == "expired"
    assert as_alice.get(f"/api/games/{game}/").json()["elapsed_ms"] == 0
