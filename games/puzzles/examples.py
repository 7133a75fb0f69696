from games.puzzles.days import FIRST_DAY, puzzle_of
from games.puzzles.judging import judge
from games.puzzles.library import find_puzzle, puzzle_ids
from games.puzzles.wire import Judgement, Puzzle, PuzzleDay, PuzzleDays, Solution

_PUZZLE = find_puzzle(puzzle_ids()[0])
PUZZLE = Puzzle.of(_PUZZLE)
SOLUTION = Solution.of(_PUZZLE)
JUDGEMENT = Judgement.of(_PUZZLE, judge(_PUZZLE, [move.text for move in _PUZZLE.packed.win[: _PUZZLE.decisions]]))
_DAY = puzzle_of(FIRST_DAY)
PUZZLE_DAYS = PuzzleDays([PuzzleDay(_DAY.day, _DAY.puzzle)], None)
