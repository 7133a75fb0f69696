"""Streaks and storms: judged by the server, timed by its clock, and the same in every tab."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.db import connection

from games.players.models import Player
from games.puzzles.library import find_puzzle
from games.puzzles.models import PuzzleAttempt, PuzzleRun, RunStep
from games.puzzles.refusals import RunOver, StalePuzzle
from games.puzzles.runs import Kind, end_overdue_storms, puzzle_at, remove, start
from tests.games.api import Api, refusal
from tests.games.puzzles.test_rest import wrong

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def solve(run: PuzzleRun, at: datetime) -> PuzzleRun:
    """Solve the puzzle that a run shows, removal by removal."""
    puzzle = find_puzzle(run.puzzle)
    moves = [move.text for move in puzzle.packed.win[: puzzle.decisions]]
    for count in range(1, puzzle.decisions + 1):
        run = remove(run.player, run.pk, run.number, moves[:count], at).run
    return run


def fail(run: PuzzleRun, at: datetime) -> PuzzleRun:
    return remove(run.player, run.pk, run.number, [wrong(find_puzzle(run.puzzle)).text], at).run


def test_a_streak_goes_on_until_the_first_mistake(alice: Player) -> None:
    run = start(alice, Kind.STREAK, NOW)
    for _ in range(5):
        run = solve(run, NOW)
    run = fail(run, NOW + SECOND)
    assert (run.solved, run.mistakes, run.ended_at, run.waits) == (5, 1, NOW + SECOND, True)
    with pytest.raises(RunOver):
        fail(run, NOW)
    assert start(alice, Kind.STREAK, NOW).pk != run.pk


def test_a_storm_lasts_three_minutes_and_a_mistake_costs_ten_seconds(alice: Player) -> None:
    run = start(alice, Kind.STORM, NOW)
    assert run.ends_at == NOW + timedelta(minutes=3)
    run = fail(run, NOW + SECOND)
    assert run.ends_at == NOW + timedelta(seconds=170)
    run = solve(run, NOW + timedelta(seconds=169))
    with pytest.raises(RunOver):
        solve(run, NOW + timedelta(seconds=170))
    assert (run.solved, run.mistakes) == (1, 1)


def test_a_mistake_that_takes_the_last_seconds_ends_a_storm(alice: Player) -> None:
    run = start(alice, Kind.STORM, NOW)
    assert fail(run, NOW + timedelta(seconds=175)).ended_at == NOW + timedelta(seconds=175)


def test_the_worker_ends_storms_whose_time_is_up(alice: Player, bob: Player) -> None:
    runs = [start(alice, Kind.STORM, NOW), start(bob, Kind.STREAK, NOW)]
    assert end_overdue_storms(NOW + timedelta(seconds=179)) == 0
    assert end_overdue_storms(NOW + timedelta(days=1)) == 1
    for run in runs:
        run.refresh_from_db()
    assert [run.ended_at for run in runs] == [NOW + timedelta(minutes=3), None]


def test_a_player_begins_so_many_runs_an_hour_and_reads_those_under_way_as_often_as_ever(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "puzzle_runs", (2, 3600))
    for _ in range(2):
        run = start(alice, Kind.STREAK, NOW)
        assert start(alice, Kind.STREAK, NOW).pk == run.pk
        fail(run, NOW)
    api = Api(alice)
    assert refusal(api.post("/api/puzzles/runs/", {"kind": "streak"})) == (429, "too_many_requests")
    assert PuzzleRun.objects.count() == 2


def test_two_tabs_have_the_same_run(alice: Player) -> None:
    assert start(alice, Kind.STORM, NOW).pk == start(alice, Kind.STORM, NOW + SECOND).pk
    assert start(alice, Kind.STREAK, NOW).pk != start(alice, Kind.STORM, NOW).pk


def test_a_removal_for_a_puzzle_that_is_shown_no_longer_is_refused(alice: Player) -> None:
    run = start(alice, Kind.STREAK, NOW)
    puzzle = find_puzzle(run.puzzle)
    later = solve(run, NOW)
    for number in (1, 3):
        with pytest.raises(StalePuzzle):
            remove(alice, run.pk, number, [wrong(puzzle).text], NOW)
    later.refresh_from_db()
    assert (later.solved, later.mistakes) == (1, 0)


def test_a_series_is_resumed_where_it_was(as_alice: Api, alice: Player) -> None:
    run = start(alice, Kind.STREAK, NOW)
    series = next(number for number in range(1, 101) if find_puzzle(puzzle_at(run.seed, number)).decisions > 1)
    PuzzleRun.objects.filter(pk=run.pk).update(solved=series - 1, puzzle=puzzle_at(run.seed, series))
    moves = [move.text for move in find_puzzle(puzzle_at(run.seed, series)).packed.win]
    address = f"/api/puzzles/runs/{run.pk}/"
    answer = as_alice.post(f"{address}removals/", {"number": series, "moves": moves[:1]}).json()
    assert (answer["state"], answer["mistake"]) == ("goes_on", None)
    assert as_alice.get(address).json()["shown"]["removed"] == moves[:1]
    stale = as_alice.post(f"{address}removals/", {"number": series, "moves": moves[1:2]})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale_puzzle")


def test_the_puzzles_of_a_run_get_harder_and_differ(alice: Player) -> None:
    run = start(alice, Kind.STORM, NOW)
    ids = [puzzle_at(run.seed, number) for number in range(1, 101)]
    ratings = [find_puzzle(puzzle).seed for puzzle in ids]
    assert ratings == sorted(ratings)
    assert len(set(ids)) == 100
    assert puzzle_at(run.seed, 150) in {puzzle_at(str(seed), 100) for seed in range(2000)}


def test_the_server_says_nothing_of_a_puzzle_before_it_is_over(as_alice: Api) -> None:
    run = as_alice.post("/api/puzzles/runs/", {"kind": "streak"}).json()
    puzzle = find_puzzle(PuzzleRun.objects.get().puzzle)
    assert puzzle.id not in str(run)
    assert set(run["shown"]) == {"number", "position", "choices", "removals", "removed"}
    for address, body in (("attempts", {"moves": [wrong(puzzle).text]}), ("solution", {})):
        refused = as_alice.post(f"/api/puzzles/{puzzle.id}/{address}/", body)
        assert (refused.status_code, refused.json()["code"]) == (409, "puzzle_in_run")
    answer = as_alice.post(
        f"/api/puzzles/runs/{run['id']}/removals/", {"number": 1, "moves": [wrong(puzzle).text]}
    ).json()
    assert answer["mistake"]["puzzle"] == puzzle.id
    assert answer["mistake"]["solution"]["moves"]
    assert answer["run"]["state"] == "over"
    assert as_alice.post(f"/api/puzzles/{puzzle.id}/solution/").status_code == 200


def test_a_wrong_removal_of_a_storm_tells_no_solution(as_alice: Api) -> None:
    run = as_alice.post("/api/puzzles/runs/", {"kind": "storm"}).json()
    moves = [wrong(find_puzzle(PuzzleRun.objects.get().puzzle)).text]
    answer = as_alice.post(f"/api/puzzles/runs/{run['id']}/removals/", {"number": 1, "moves": moves}).json()
    assert (answer["state"], answer["mistake"], answer["run"]["mistakes"]) == ("wrong", None, 1)
    assert answer["run"]["shown"]["number"] == 2


def test_the_puzzles_of_a_run_count_as_attempted_and_are_not_rated(alice: Player) -> None:
    run = fail(solve(solve(start(alice, Kind.STREAK, NOW), NOW), NOW), NOW)
    steps = list(RunStep.objects.filter(run=run))
    assert [step.is_solved for step in steps] == [True, True, False]
    kept = PuzzleAttempt.objects.filter(player=alice, mean=None)
    assert {(row.puzzle, row.is_solved) for row in kept} == {(step.puzzle, step.is_solved) for step in steps}
    assert alice.solver_rating.mean == 1500


def test_a_run_faster_than_a_person_is_noted(alice: Player) -> None:
    run = start(alice, Kind.STORM, NOW)
    for count in range(1, 4):
        run = solve(run, NOW + timedelta(milliseconds=200 * count))
    assert run.hasty == 3
    for count in range(1, 4):
        run = solve(run, NOW + timedelta(seconds=10 * count))
    assert run.hasty == 3


def test_a_run_can_be_ended_once(as_alice: Api, as_bob: Api) -> None:
    run: Any = as_alice.post("/api/puzzles/runs/", {"kind": "streak"}).json()
    for api, status in ((as_bob, 404), (as_alice, 200), (as_alice, 200)):
        assert api.post(f"/api/puzzles/runs/{run['id']}/end/").status_code == status
    assert as_bob.get(f"/api/puzzles/runs/{run['id']}/").status_code == 404
    assert as_alice.get(f"/api/puzzles/runs/{run['id']}/").json()["state"] == "over"


@pytest.mark.parametrize("body", [{"kind": "sprint"}, {}, {"kind": None}])
def test_another_kind_is_refused(as_alice: Api, body: dict[str, object]) -> None:
    assert as_alice.post("/api/puzzles/runs/", body).status_code == 400


def test_a_storm_read_after_its_time_is_over(as_alice: Api, clock: time_machine.Traveller) -> None:
    run = as_alice.post("/api/puzzles/runs/", {"kind": "storm"}).json()
    clock.shift(timedelta(minutes=4))
    later = as_alice.get(f"/api/puzzles/runs/{run['id']}/").json()
    assert (later["state"], later["shown"], later["ended_at"]) == ("over", None, run["ends_at"])


@pytest.mark.django_db(transaction=True)
@pytest.mark.servers
def test_a_removal_from_many_tabs_counts_once(alice: Player) -> None:
    run = start(alice, Kind.STORM, NOW)
    puzzle = next(n for n in range(1, 101) if find_puzzle(puzzle_at(run.seed, n)).decisions == 1)
    PuzzleRun.objects.filter(pk=run.pk).update(solved=puzzle - 1, puzzle=puzzle_at(run.seed, puzzle))
    moves = [find_puzzle(puzzle_at(run.seed, puzzle)).packed.win[0].text]

    def solve_once(_: int) -> bool:
        try:
            remove(alice, run.pk, puzzle, moves, NOW + SECOND)
            return True
        except StalePuzzle:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(solve_once, range(16))) == 1
    run.refresh_from_db()
    assert (run.solved, RunStep.objects.count()) == (puzzle, 1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.servers
def test_many_tabs_that_begin_at_once_have_one_run(alice: Player) -> None:
    def begin(_: int) -> str:
        try:
            return start(alice, Kind.STORM, NOW).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(begin, range(16)))) == 1
