"""First attempts are kept and rated once, also when they come from many tabs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client

from games.players.models import Player
from games.puzzles.attempting import attempt, give_up
from games.puzzles.choosing import RANGE, next_for, puzzle_near
from games.puzzles.library import find_puzzle, puzzle_ids
from games.puzzles.models import PuzzleAttempt, PuzzleRating, SolverRating
from games.puzzles.ratings import strength_of, strength_of_puzzle
from tests.games.api import Api
from tests.games.puzzles.test_rest import SERIES, SINGLE, wrong

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
RIGHT = [SINGLE.packed.win[0].text]


def named(player: Player) -> Player:
    player.is_guest = False
    player.save()
    return player


def test_a_solved_puzzle_raises_the_player_and_lowers_the_puzzle(alice: Player) -> None:
    before = strength_of_puzzle(SINGLE)
    attempted = attempt(SINGLE, named(alice), RIGHT, NOW)
    assert attempted.rated
    assert attempted.rated.after.mean > attempted.rated.before.mean == 1500
    assert strength_of(alice) == attempted.rated.after
    assert strength_of_puzzle(SINGLE).mean < before.mean == SINGLE.seed
    row = PuzzleAttempt.objects.get()
    assert (row.player, row.puzzle, row.is_solved, row.found, row.at) == (alice, SINGLE.id, True, 1, NOW)
    assert (row.mean_before, row.mean, row.puzzle_mean) == (1500, attempted.rated.after.mean, before.mean)


def test_a_wrong_removal_lowers_the_player_and_raises_the_puzzle(alice: Player) -> None:
    attempt(SINGLE, named(alice), [wrong(SINGLE).text], NOW)
    assert strength_of(alice).mean < 1500
    assert strength_of_puzzle(SINGLE).mean > SINGLE.seed


def test_to_ask_for_the_solution_counts_as_failed(as_alice: Api) -> None:
    answer = as_alice.post(f"/api/puzzles/{SINGLE.id}/solution/").json()
    assert answer["rated"]["rating"] < 1500 == answer["rated"]["rating"] - answer["rated"]["change"]
    again = as_alice.post(f"/api/puzzles/{SINGLE.id}/attempts/", {"moves": RIGHT}).json()
    assert (again["state"], again["rated"]) == ("solved", None)
    solver = as_alice.get("/api/puzzles/solver/").json()
    assert (solver["rating"], solver["solved"], solver["failed"]) == (answer["rated"]["rating"], 0, 0)


def test_only_the_first_attempt_counts(alice: Player) -> None:
    attempt(SINGLE, alice, [wrong(SINGLE).text], NOW)
    after = strength_of(alice)
    for removals in (RIGHT, [wrong(SINGLE).text], RIGHT):
        assert attempt(SINGLE, alice, removals, NOW).rated is None
    assert strength_of(alice) == after
    assert (PuzzleAttempt.objects.get().is_solved, PuzzleAttempt.objects.get().solved_later_at) == (False, NOW)


def test_a_series_counts_once_it_is_over(alice: Player) -> None:
    first, second = (move.text for move in SERIES.packed.win[:2])
    assert attempt(SERIES, alice, [first], NOW).rated is None
    assert not PuzzleAttempt.objects.exists()
    assert attempt(SERIES, alice, [first, second], NOW).rated


@pytest.mark.parametrize("kind", ["guest", "bot", "banned"])
def test_guests_bots_and_the_banned_are_rated_and_move_no_puzzle(alice: Player, kind: str) -> None:
    Player.objects.filter(pk=alice.pk).update(
        is_guest=kind == "guest", is_bot=kind == "bot", banned_at=NOW if kind == "banned" else None
    )
    alice.refresh_from_db()
    assert attempt(SINGLE, alice, RIGHT, NOW).rated
    assert strength_of(alice).mean > 1500
    assert not PuzzleRating.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.servers
def test_many_tabs_at_once_are_one_attempt(alice: Player) -> None:
    named(alice)

    def solve(number: int) -> bool:
        try:
            if number % 2:
                return give_up(SINGLE, alice, NOW) is not None
            return attempt(SINGLE, alice, RIGHT, NOW).rated is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        rated = list(pool.map(solve, range(16)))
    assert sum(rated) == 1
    row = PuzzleAttempt.objects.get()
    assert (SolverRating.objects.get().attempts, SolverRating.objects.get().mean) == (1, row.mean)
    assert PuzzleRating.objects.get().attempts == 1


def test_the_next_puzzle_is_in_range_and_new(alice: Player) -> None:
    for _ in range(30):
        puzzle = find_puzzle(next_for(alice))
        assert abs(puzzle.seed - strength_of(alice).mean) <= RANGE
        removals = puzzle.packed.win if puzzle.decisions == 1 else [wrong(puzzle)]
        assert attempt(puzzle, alice, [removals[0].text], NOW).rated


def test_a_puzzle_that_proved_harder_is_out_of_range(alice: Player) -> None:
    others = {puzzle_near(1500, None) for _ in range(300)}
    PuzzleRating.objects.bulk_create(
        PuzzleRating(puzzle=puzzle, attempts=20, mean=2300, deviation=80) for puzzle in others
    )
    assert next_for(alice) not in others


def test_who_has_attempted_all_gets_any(alice: Player) -> None:
    PuzzleAttempt.objects.bulk_create(
        PuzzleAttempt(player=alice, puzzle=puzzle, at=NOW, is_solved=True, found=1) for puzzle in puzzle_ids()
    )
    assert next_for(alice) in puzzle_ids()


def test_the_page_shows_ratings_to_players_alone(client: Client, alice: Player) -> None:
    assert "data-rating" not in client.get(f"/puzzles/{SINGLE.id}/").content.decode()
    client.force_login(alice)
    assert "<dd data-rating>1500</dd>" in client.get(f"/puzzles/{SINGLE.id}/").content.decode()


def test_nothing_is_kept_of_visitors(anyone: Api) -> None:
    anyone.post(f"/api/puzzles/{SINGLE.id}/attempts/", {"moves": RIGHT})
    anyone.post(f"/api/puzzles/{SINGLE.id}/solution/")
    assert not PuzzleAttempt.objects.exists()
    assert anyone.get("/api/puzzles/solver/").status_code == 401
