from __future__ import annotations

from asyncio import wrap_future
from datetime import timedelta

from django.urls import path
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest import on_loop
from games.doors.rest.inputs import NothingInput
from games.doors.rest.on_loop import Arrival, Granted
from games.doors.rest.openapi import CHANGES, FOR_ALL, FOR_PLAYERS, Answer, operation
from games.doors.scopes import Scope
from games.keys.on_loop import door_for_players
from games.players.endpoint import Endpoint, PlayersEndpoint
from games.puzzles import wire
from games.puzzles.attempting import attempt, give_up
from games.puzzles.choosing import next_for
from games.puzzles.days import FIRST_DAY, days_until
from games.puzzles.examples import ANSWER, FAILED_PUZZLES, JUDGEMENT, PUZZLE, PUZZLE_DAYS, RUN, RUN_STEP, SOLVER
from games.puzzles.library import find_puzzle
from games.puzzles.live import judge_soon
from games.puzzles.reading import failed_puzzles, record_of
from games.puzzles.refusals import NotARemoval, PuzzleInRun, RunOver, StalePuzzle, UnknownPuzzle, UnknownRun
from games.puzzles.runs import Kind, give_up_run, read_run, remove, start
from games.runtime.clock import clock

READ_OR_PLAY = (Scope.READ, Scope.PLAY)


class NextPuzzle(Endpoint):
    @operation("read_next_puzzle", Answer(PUZZLE), FOR_ALL, scope=READ_OR_PLAY)
    def get(self, request: Request) -> Response:
        """Read a random puzzle of about your rating that you have not attempted."""
        return Response(wire.Puzzle.of(find_puzzle(next_for(self.reader))))


class OwnSolver(PlayersEndpoint):
    @operation("read_solver", Answer(SOLVER), FOR_PLAYERS, scope=READ_OR_PLAY)
    def get(self, request: Request) -> Response:
        """Read your rating at puzzles, and how many you have solved and failed."""
        return Response(wire.Solver.of(record_of(self.player)))


class Failed(PlayersEndpoint):
    @operation("list_failed_puzzles", Answer(FAILED_PUZZLES), FOR_PLAYERS, scope=READ_OR_PLAY)
    def get(self, request: Request) -> Response:
        """List the puzzles that you failed and have not solved since, the last first; a hundred at most."""
        return Response(wire.FailedPuzzles(failed_puzzles(self.player)))


class PuzzleDays(Endpoint):
    @operation(
        "list_puzzles_of_days", Answer(PUZZLE_DAYS), FOR_ALL, parameters=[wire.PuzzleDaysInput], scope=READ_OR_PLAY
    )
    def get(self, request: Request) -> Response:
        """List the puzzles of today and of past days, newest first, a page at a time."""
        today = clock.now().date()
        found = days_until(min(self.query(wire.PuzzleDaysInput).until or today, today))
        has_older = found and found[-1].day > FIRST_DAY
        older = f"{request.path}?until={found[-1].day - timedelta(days=1)}" if has_older else None
        return Response(wire.PuzzleDays([wire.PuzzleDay(day, puzzle) for day, puzzle in found], older))


class OnePuzzle(Endpoint):
    @operation("read_puzzle", Answer(PUZZLE), (*FOR_ALL, UnknownPuzzle), scope=READ_OR_PLAY)
    def get(self, request: Request, puzzle_id: str) -> Response:
        """Read a puzzle, without its solution."""
        return Response(wire.Puzzle.of(find_puzzle(puzzle_id)))


class Attempts(Endpoint):
    permission_classes = [AllowAny]

    @operation(
        "judge_attempt",
        Answer(JUDGEMENT),
        (*FOR_ALL, PermissionDenied, UnknownPuzzle, NotARemoval, PuzzleInRun),
        wire.AttemptInput,
        scope=Scope.PLAY,
    )
    def post(self, request: Request, puzzle_id: str) -> Response:
        """Judge the removals of an attempt so far.

        The answer has the solution once the attempt is over: solved, or lost by a wrong removal, which it explains.
        Your first attempt at a puzzle is rated; without an account nothing is kept.
        """
        puzzle = find_puzzle(puzzle_id)
        attempted = attempt(puzzle, self.reader, self.body(wire.AttemptInput).moves, clock.now())
        return Response(wire.Judgement.of(puzzle, attempted))


class OneSolution(Endpoint):
    permission_classes = [AllowAny]

    @operation(
        "ask_for_solution",
        Answer(ANSWER),
        (*FOR_ALL, PermissionDenied, UnknownPuzzle, PuzzleInRun),
        NothingInput,
        scope=Scope.PLAY,
    )
    def post(self, request: Request, puzzle_id: str) -> Response:
        """Read a win of a puzzle, its draws included. As a first attempt it counts as failed."""
        puzzle = find_puzzle(puzzle_id)
        self.body(NothingInput)
        return Response(wire.AskedSolution.of(puzzle, give_up(puzzle, self.reader, clock.now())))


class Runs(PlayersEndpoint):
    @operation("start_run", Answer(RUN), CHANGES, wire.RunInput, scope=Scope.PLAY)
    def post(self, request: Request) -> Response:
        """Begin a streak or a storm, or read the one that you are in.

        A streak ends with the first mistake. A storm lasts three minutes by the clock of the server, and a mistake
        costs ten seconds. There is one of each kind at a time.
        """
        now = clock.now()
        run = start(self.player, Kind(self.body(wire.RunInput).kind), now)
        return Response(wire.Run.of(run, now))


class OneRun(PlayersEndpoint):
    @operation("read_run", Answer(RUN), (*FOR_PLAYERS, UnknownRun), scope=READ_OR_PLAY)
    def get(self, request: Request, run_id: str) -> Response:
        """Read a streak or a storm of yours, with the puzzle that it shows."""
        now = clock.now()
        return Response(wire.Run.of(read_run(self.player, run_id, now), now))


class RunRemovals(PlayersEndpoint):
    @operation(
        "remove_in_run",
        Answer(RUN_STEP),
        (*CHANGES, UnknownRun, RunOver, StalePuzzle, NotARemoval),
        wire.RemovalInput,
        scope=Scope.PLAY,
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Judge a removal in a streak or a storm. The answer has the puzzle that is shown next."""
        now, asked = clock.now(), self.body(wire.RemovalInput)
        return Response(wire.RunStep.of(remove(self.player, run_id, asked.number, asked.moves, now), now))


async def remove_on_loop(arrival: Arrival) -> Granted:
    run_id, asked = arrival.found["run_id"], arrival.asked
    step = await wrap_future(judge_soon(arrival.player, run_id, asked.number, asked.moves))
    return Granted(step)


on_loop.register(
    door_for_players("POST", "/api/puzzles/runs/(?P<run_id>[0-9a-z]+)/removals/", wire.RemovalInput, remove_on_loop)
)


class RunEnd(PlayersEndpoint):
    @operation("end_run", Answer(RUN), (*CHANGES, UnknownRun), NothingInput, scope=Scope.PLAY)
    def post(self, request: Request, run_id: str) -> Response:
        """End a streak or a storm of yours as it is. Doing so again changes nothing."""
        now = clock.now()
        self.body(NothingInput)
        return Response(wire.Run.of(give_up_run(self.player, run_id, now), now))


urlpatterns = [
    path("puzzles/next/", NextPuzzle.as_view(), name="next-puzzle"),
    path("puzzles/solver/", OwnSolver.as_view(), name="puzzle-solver"),
    path("puzzles/failed/", Failed.as_view(), name="failed-puzzles"),
    path("puzzles/days/", PuzzleDays.as_view(), name="puzzles-of-days"),
    path("puzzles/runs/", Runs.as_view(), name="puzzle-runs"),
    path("puzzles/runs/<slug:run_id>/", OneRun.as_view(), name="puzzle-run"),
    path("puzzles/runs/<slug:run_id>/removals/", RunRemovals.as_view(), name="puzzle-run-removals"),
    path("puzzles/runs/<slug:run_id>/end/", RunEnd.as_view(), name="puzzle-run-end"),
    path("puzzles/<slug:puzzle_id>/", OnePuzzle.as_view(), name="puzzle"),
    path("puzzles/<slug:puzzle_id>/attempts/", Attempts.as_view(), name="puzzle-attempts"),
    path("puzzles/<slug:puzzle_id>/solution/", OneSolution.as_view(), name="puzzle-solution"),
]
