from datetime import UTC, datetime, timedelta

from games.puzzles.attempting import Attempted
from games.puzzles.days import FIRST_DAY, puzzle_of
from games.puzzles.judging import judge
from games.puzzles.library import first_puzzle
from games.puzzles.ratings import Rated
from games.puzzles.wire import (
    AskedSolution,
    FailedPuzzles,
    Judgement,
    Puzzle,
    PuzzleDay,
    PuzzleDays,
    Run,
    RunPosition,
    RunStep,
    Solver,
)
from games.races.strength import Strength

_PUZZLE = first_puzzle()
_RATED = Rated(Strength(1482, 70, 41), Strength(1493, 69, 42), Strength(1530, 90, 12))
PUZZLE = Puzzle.of(_PUZZLE)
JUDGEMENT = Judgement.of(
    _PUZZLE, Attempted(judge(_PUZZLE, [move.text for move in _PUZZLE.packed.win[: _PUZZLE.decisions]]), _RATED)
)
ANSWER = AskedSolution.of(_PUZZLE, None)
FAILED_PUZZLES = FailedPuzzles([_PUZZLE.id])
SOLVER = Solver(rating=1493, uncertainty=138, is_provisional=False, solved=29, failed=8)
_DAY = puzzle_of(FIRST_DAY)
PUZZLE_DAYS = PuzzleDays([PuzzleDay(_DAY.day, _DAY.puzzle)], None)
_BEGAN = datetime(2026, 11, 20, 12, tzinfo=UTC)
RUN = Run(
    id="4q7rw9xz1c5k",
    kind="storm",
    state="running",
    solved=12,
    mistakes=1,
    best=21,
    started_at=_BEGAN,
    ends_at=_BEGAN + timedelta(seconds=170),
    ended_at=None,
    server_now=_BEGAN + timedelta(seconds=64),
    shown=RunPosition(14, _PUZZLE.position.text, _PUZZLE.choices, _PUZZLE.decisions, []),
)
RUN_STEP = RunStep("solved", None, RUN)
