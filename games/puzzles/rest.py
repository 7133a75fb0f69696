from __future__ import annotations

from datetime import timedelta

from django.urls import path
from django.utils import timezone
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.openapi import FOR_ALL, Answer, operation
from games.players.endpoint import Endpoint
from games.puzzles import wire
from games.puzzles.days import FIRST_DAY, days_until, next_puzzle
from games.puzzles.examples import JUDGEMENT, PUZZLE, PUZZLE_DAYS, SOLUTION
from games.puzzles.judging import judge
from games.puzzles.library import find_puzzle
from games.puzzles.refusals import NotARemoval, UnknownPuzzle


class NextPuzzle(Endpoint):
    @operation("read_next_puzzle", Answer(PUZZLE), (*FOR_ALL, UnknownPuzzle), parameters=[wire.NextPuzzleInput])
    def get(self, request: Request) -> Response:
        """Read the puzzle after another one, or a random one."""
        return Response(wire.Puzzle.of(find_puzzle(next_puzzle(self.query(wire.NextPuzzleInput).after or ""))))


class PuzzleDays(Endpoint):
    @operation("list_puzzles_of_days", Answer(PUZZLE_DAYS), FOR_ALL, parameters=[wire.PuzzleDaysInput])
    def get(self, request: Request) -> Response:
        """List the puzzles of today and of past days, newest first, a page at a time."""
        today = timezone.now().date()
        found = days_until(min(self.query(wire.PuzzleDaysInput).until or today, today))
        has_older = found and found[-1].day > FIRST_DAY
        older = f"{request.path}?until={found[-1].day - timedelta(days=1)}" if has_older else None
        return Response(wire.PuzzleDays([wire.PuzzleDay(day, puzzle) for day, puzzle in found], older))


class OnePuzzle(Endpoint):
    @operation("read_puzzle", Answer(PUZZLE), (*FOR_ALL, UnknownPuzzle))
    def get(self, request: Request, puzzle_id: str) -> Response:
        """Read a puzzle, without its solution."""
        return Response(wire.Puzzle.of(find_puzzle(puzzle_id)))


class Attempts(Endpoint):
    permission_classes = [AllowAny]

    @operation(
        "judge_attempt", Answer(JUDGEMENT), (*FOR_ALL, PermissionDenied, UnknownPuzzle, NotARemoval), wire.AttemptInput
    )
    def post(self, request: Request, puzzle_id: str) -> Response:
        """Judge the removals of an attempt so far.

        The answer has the solution once the attempt is over: solved, or lost by a wrong removal, which it explains.
        """
        puzzle = find_puzzle(puzzle_id)
        return Response(wire.Judgement.of(puzzle, judge(puzzle, self.body(wire.AttemptInput).moves)))


class OneSolution(Endpoint):
    @operation("read_solution", Answer(SOLUTION), (*FOR_ALL, UnknownPuzzle))
    def get(self, request: Request, puzzle_id: str) -> Response:
        """Read a win of a puzzle, its draws included."""
        return Response(wire.Solution.of(find_puzzle(puzzle_id)))


urlpatterns = [
    path("puzzles/next/", NextPuzzle.as_view(), name="next-puzzle"),
    path("puzzles/days/", PuzzleDays.as_view(), name="puzzles-of-days"),
    path("puzzles/<slug:puzzle_id>/", OnePuzzle.as_view(), name="puzzle"),
    path("puzzles/<slug:puzzle_id>/attempts/", Attempts.as_view(), name="puzzle-attempts"),
    path("puzzles/<slug:puzzle_id>/solution/", OneSolution.as_view(), name="puzzle-solution"),
]
