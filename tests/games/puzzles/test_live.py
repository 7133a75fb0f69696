"""Removals that arrive together, in a process that remembers the runs that it has seen."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.players.models import Player
from games.puzzles import live
from games.puzzles.library import find_puzzle
from games.puzzles.live import Removal, _judge_all, judge_soon
from games.puzzles.models import PuzzleRun, RunStep
from games.puzzles.refusals import StalePuzzle
from games.puzzles.runs import Kind, give_up_run, remove, start
from games.puzzles.wire import RunStep as Judged
from tests.games.puzzles.test_rest import wrong

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def right(run: PuzzleRun, player: Player) -> Removal:
    """Return the next right removal of a run as the database has it."""
    run.refresh_from_db()
    found = find_puzzle(run.puzzle).packed.win[: len(run.removals) + 1]
    return Removal(player, run.pk, run.number, [move.text for move in found], NOW)


def begun(player: Player, kind: Kind = Kind.STORM) -> PuzzleRun:
    """Begin a run, of which this process remembers the first removal."""
    run = start(player, kind, NOW)
    judged([right(run, player)])
    return run


def judged(removals: list[Removal]) -> list[str]:
    """Judge removals that arrive together; return the state of each, or the class of its refusal."""
    outcomes = _judge_all(removals)
    return [one.state if isinstance(one, Judged) else type(one).__name__ for one in outcomes]


@pytest.fixture(autouse=True)
def _nothing_is_remembered() -> None:
    live._remembered.clear()


@pytest.mark.django_db
@pytest.mark.servers
def test_removals_that_arrive_together_are_one_change_and_equal_those_one_by_one(alice: Player, bob: Player) -> None:
    storms = [(begun(player), player) for player in (alice, bob)]
    for _ in range(12):
        asked = [right(run, player) for run, player in storms]
        with CaptureQueriesContext(connection) as queries:
            states = judged(asked)
        assert not [query["sql"] for query in queries if "SELECT" in query["sql"]]
        assert set(states) <= {"solved", "goes_on"}
    for run, player in storms:
        run.refresh_from_db()
        steps = RunStep.objects.filter(run=run)
        assert [step.number for step in steps] == [*range(1, run.solved + 1)]
        replayed = start(player, Kind.STREAK, NOW)
        PuzzleRun.objects.filter(pk=replayed.pk).update(seed=run.seed, puzzle=steps[0].puzzle)
        while (replayed.solved, replayed.removed) != (run.solved, run.removed):
            replayed = remove(*right(replayed, player)).run
        of_replayed = RunStep.objects.filter(run=replayed)
        columns = ("number", "puzzle", "is_solved", "found", "elapsed_ms")
        assert list(steps.values_list(*columns)) == list(of_replayed.values_list(*columns))
        assert (replayed.puzzle, replayed.hasty, replayed.shown_at) == (run.puzzle, run.hasty, run.shown_at)


@pytest.mark.django_db
@pytest.mark.servers
def test_the_same_removal_twice_at_once_counts_once(alice: Player) -> None:
    run = begun(alice)
    asked = right(run, alice)
    first, second = judged([asked, asked])
    assert (first in {"solved", "goes_on"}, second) == (True, "StalePuzzle")
    assert right(run, alice) != asked


@pytest.mark.django_db
@pytest.mark.servers
def test_a_turn_over_another_process_is_seen(alice: Player) -> None:
    run = begun(alice)
    elsewhere = right(run, alice)
    remove(*elsewhere)
    assert judged([elsewhere]) == ["StalePuzzle"]
    assert judged([right(run, alice)]) != ["StalePuzzle"]
    give_up_run(alice, run.pk, NOW)
    before = RunStep.objects.count()
    assert judged([right(run, alice)]) == ["RunOver"]
    assert RunStep.objects.count() == before


@pytest.mark.django_db
def test_only_its_player_goes_on_with_a_run_that_is_remembered(alice: Player, mallory: Player) -> None:
    run = begun(alice)
    asked = right(run, alice)
    none = asked._replace(moves=[*asked.moves[:-1], "AcAd"])
    missing = asked._replace(run_id="000000000000")
    others = judged([asked._replace(player=mallory), none, missing])
    assert others == ["UnknownRun", "NotARemoval", "UnknownRun"]
    assert judged([asked]) != ["StalePuzzle"]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", Kind)
def test_a_mistake_ends_a_streak_that_is_remembered_and_only_shortens_a_storm(alice: Player, kind: Kind) -> None:
    run = begun(alice, kind)
    while run.removed:
        judged([right(run, alice)])
        run.refresh_from_db()
    asked = right(run, alice)
    mistake = asked._replace(moves=[wrong(find_puzzle(run.puzzle)).text])
    ends = kind is Kind.STREAK
    first, second = judged([mistake, mistake._replace(number=asked.number + 1)])
    assert (first, second == "RunOver") == ("wrong", ends)
    run.refresh_from_db()
    assert (run.mistakes > 0, run.ended_at, run.waits) == (True, NOW if ends else None, ends)


@pytest.mark.django_db(transaction=True)
@pytest.mark.servers
def test_one_removal_from_many_tabs_of_two_processes_counts_once(alice: Player) -> None:
    run = start(alice, Kind.STORM, timezone.now())
    judge_soon(*right(run, alice)[:-1]).result()
    asked = right(run, alice)._replace(now=timezone.now())

    def elsewhere(_: int) -> bool:
        try:
            remove(*asked)
            return True
        except StalePuzzle:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        of_others = pool.map(elsewhere, range(4))
        own = [judge_soon(*asked[:-1]) for _ in range(4)]
        counted = sum(of_others) + sum(future.exception() is None for future in own)
    assert counted == 1
