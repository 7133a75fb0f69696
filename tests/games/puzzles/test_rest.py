"""The endpoints of puzzles: nothing gives the solution away before an attempt is over."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from games.puzzles.clearing import pyramid_cards, removals, without
from games.puzzles.library import Puzzle, find_puzzle, puzzle_ids
from games.rules import RULE_SETS, Move, Position
from games.solver.verdict import verdict
from tests.journeys.shell import INDENTED, shell
from tests.processes import PROJECT

pytestmark = pytest.mark.django_db

PUZZLES = [find_puzzle(puzzle_id) for puzzle_id in puzzle_ids()[:60]]
SINGLE = next(puzzle for puzzle in PUZZLES if puzzle.decisions == 1)
SERIES = next(puzzle for puzzle in PUZZLES if puzzle.decisions == 2)


def wrong(puzzle: Puzzle) -> Move:
    right = pyramid_cards(puzzle.position, puzzle.packed.win[0])
    return next(move for move in removals(puzzle.position) if pyramid_cards(puzzle.position, move) != right)


def attempt(client: Client, puzzle: Puzzle, *moves: str, status: int = 200) -> Any:
    address = f"/api/puzzles/{puzzle.id}/attempts/"
    answer = client.post(address, {"moves": moves}, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


def test_a_puzzle_is_read_without_its_solution(client: Client) -> None:
    answer = client.get(f"/api/puzzles/{SINGLE.id}/").json()
    assert answer == {
        "id": SINGLE.id,
        "rules": "standard",
        "position": SINGLE.position.text,
        "choices": SINGLE.choices,
        "removals": 1,
        "page": f"/puzzles/{SINGLE.id}/",
    }


def test_the_right_removal_solves_it_and_brings_a_line_that_wins(client: Client) -> None:
    answer = attempt(client, SINGLE, SINGLE.packed.win[0].text)
    assert (answer["state"], answer["found"], answer["loss"]) == ("solved", 1, None)
    position = Position.from_text(SINGLE.position.text, RULE_SETS["standard"])
    for text in answer["solution"]["moves"]:
        position = position.after(Move.from_text(text))
    assert position.is_won


@pytest.mark.django_db(transaction=True)
def test_the_puzzle_in_the_document_is_solved_by_the_removal_that_stands_there(live_server: LiveServer) -> None:
    example = INDENTED.search((PROJECT / "docs" / "puzzles.md").read_text())
    assert example
    said = shell(textwrap.dedent(example[0]), live_server.url)
    assert '"state":"solved"' in said.replace(" ", "")


def test_a_wrong_removal_ends_the_attempt_and_says_why_it_loses(client: Client) -> None:
    for puzzle in PUZZLES:
        answer = attempt(client, puzzle, wrong(puzzle).text)
        later = without(puzzle.position, wrong(puzzle))
        assert (answer["state"], answer["found"], verdict(later)) == ("wrong", 0, False)
        assert answer["loss"]["needs"]
        assert bool(answer["loss"]["buried"]) == bool(answer["loss"]["partners"])
        assert answer["solution"]["moves"]


def test_a_series_goes_on_without_the_solution_until_its_last_removal(client: Client) -> None:
    first, second = (move.text for move in SERIES.packed.win[:2])
    so_far = {"state": "goes_on", "found": 1, "loss": None, "solution": None, "rated": None}
    assert attempt(client, SERIES, first) == so_far
    assert attempt(client, SERIES, first, second)["state"] == "solved"


def test_what_comes_after_a_wrong_removal_does_not_count(client: Client) -> None:
    answer = attempt(client, SERIES, wrong(SERIES).text, SERIES.packed.win[0].text)
    assert (answer["state"], answer["found"]) == ("wrong", 0)


@pytest.mark.parametrize("moves", [["AcAc"], ["KcQc"], [SINGLE.packed.win[0].text] * 2])
def test_what_cannot_leave_is_refused(client: Client, moves: list[str]) -> None:
    assert attempt(client, SINGLE, *moves, status=409)["code"] == "not_a_removal"


@pytest.mark.parametrize("moves", [[], ["D"], ["4s9h4d"], [""], [7], ["4s9h"] * 16, None, "4s9h"])
def test_what_is_not_a_list_of_removals_is_refused(client: Client, moves: object) -> None:
    address = f"/api/puzzles/{SINGLE.id}/attempts/"
    answer = client.post(address, {"moves": moves}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")


def test_an_unknown_puzzle_is_not_found(client: Client) -> None:
    asked = client.post("/api/puzzles/0123456789/solution/", content_type="application/json")
    for answer in (client.get("/api/puzzles/0123456789/"), asked):
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_puzzle")


def test_the_solution_is_there_for_those_who_ask(client: Client) -> None:
    answer = client.post(f"/api/puzzles/{SINGLE.id}/solution/", content_type="application/json").json()
    solution = {"moves": [move.text for move in SINGLE.line], "themes": list(SINGLE.themes)}
    assert answer == {"solution": solution, "rated": None}
    assert client.get(f"/api/puzzles/{SINGLE.id}/solution/").status_code == 405


def test_puzzles_ask_the_database_nothing_of_a_stranger(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        client.get(f"/api/puzzles/{SINGLE.id}/")
        attempt(client, SINGLE, SINGLE.packed.win[0].text)
        client.get(f"/puzzles/{SINGLE.id}/")
        client.get("/api/puzzles/next/")
