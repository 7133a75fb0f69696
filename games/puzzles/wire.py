from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal, cast

from msgspec import UNSET, Meta, UnsetType

from games.doors.wire import Address, Input, JsonObject, Number, Ordinal, Path
from games.play.notation_wire import CARD, CardText, Moves, PositionText, RuleSlug
from games.players.wire import Id
from games.puzzles import judging, library, models, ratings, reading, runs
from games.puzzles.attempting import Attempted
from games.puzzles.packing import ID_LENGTH, MOST_DECISIONS, RULES
from games.puzzles.runs import best_of
from games.puzzles.themes import Theme
from games.races.strength import figures_of

PuzzleId = Annotated[str, Meta(pattern=f"^[0-9a-f]{{{ID_LENGTH}}}$", max_length=ID_LENGTH)]


Removals = Annotated[
    list[Annotated[str, Meta(pattern=f"^({CARD}){{1,2}}$", max_length=4)]],
    Meta(min_length=1, max_length=MOST_DECISIONS, description="Without draws, the last one being new."),
]
PuzzleNumber = Annotated[int, Meta(ge=1, le=32767, description="The number of the puzzle, as it is shown.")]
Time = Annotated[datetime, Meta(tz=True)]
Kind = Literal["streak", "storm"]
JudgedState = Literal["wrong", "goes_on", "solved"]


class Puzzle(JsonObject, frozen=True):
    """A position in which exactly one of several removals keeps the win, without the solution."""

    id: PuzzleId
    rules: RuleSlug
    position: Annotated[PositionText, Meta(description="With the whole stock, because draws lose nothing here.")]
    choices: Annotated[Ordinal, Meta(description="The number of removals from the pyramid that draws can bring.")]
    removals: Annotated[Ordinal, Meta(description="The number of removals to find, one after another.")]
    page: Path

    @classmethod
    def of(cls, puzzle: library.Puzzle) -> Puzzle:
        return cls(
            puzzle.id, RULES.slug, puzzle.position.text, puzzle.choices, puzzle.decisions, f"/puzzles/{puzzle.id}/"
        )


class Solution(JsonObject, frozen=True):
    """A win of a puzzle."""

    moves: Annotated[Moves, Meta(description="All moves, with the draws.")]
    themes: list[Theme]

    @classmethod
    def of(cls, puzzle: library.Puzzle) -> Solution:
        return cls([move.text for move in puzzle.line], puzzle.themes)


class Need(JsonObject, frozen=True):
    """Pairs that have to leave inside the pyramid, because partners outside are too few."""

    ranks: Annotated[str, Meta(pattern="^[A2-9TJQK]{2}$")]
    pairs: Ordinal


class Loss(JsonObject, frozen=True):
    """The reason why a removal loses."""

    buried: Annotated[CardText | None, Meta(description="A card that can never leave, if there is one.")]
    partners: Annotated[list[CardText], Meta(description="Its partners: each lies above or below it.")]
    needs: Annotated[list[Need], Meta(description="No way to clear the pyramid brings all of these together.")]

    @classmethod
    def of(cls, loss: judging.Loss) -> Loss:
        needs = [Need(need.ranks, need.pairs) for need in loss.needs]
        return cls(loss.buried.text if loss.buried else None, [card.text for card in loss.partners], needs)


class AttemptRating(JsonObject, frozen=True):
    """The change of your rating by your first attempt at a puzzle."""

    rating: Annotated[int, Meta(description="After the attempt.")]
    change: int
    uncertainty: Annotated[Number, Meta(description="Two standard deviations of the rating.")]
    puzzle_rating: Annotated[int, Meta(description="Before the attempt.")]

    @classmethod
    def of(cls, rated: ratings.Rated) -> AttemptRating:
        after = figures_of(rated.after)
        change = after.rating - round(rated.before.mean)
        return cls(after.rating, change, after.uncertainty, round(rated.puzzle.mean))


class AskedSolution(JsonObject, frozen=True):
    """A solution that was asked for, which counts as a failed attempt."""

    solution: Solution
    rated: Annotated[AttemptRating | None, Meta(description="Null after an earlier attempt, or without an account.")]

    @classmethod
    def of(cls, puzzle: library.Puzzle, rated: ratings.Rated | None) -> AskedSolution:
        return cls(Solution.of(puzzle), AttemptRating.of(rated) if rated else None)


class Judgement(JsonObject, frozen=True):
    """The verdict on the removals of an attempt. The solution comes with it once the attempt is over."""

    state: JudgedState
    found: Annotated[Number, Meta(description="The number of removals that are right.")]
    loss: Loss | None
    solution: Solution | None
    rated: Annotated[AttemptRating | None, Meta(description="Of your first attempt, once it is over.")]

    @classmethod
    def of(cls, puzzle: library.Puzzle, attempted: Attempted) -> Judgement:
        judged, rated = attempted
        state = _state_of(judged)
        solution = None if state == "goes_on" else Solution.of(puzzle)
        loss = Loss.of(judged.loss) if judged.loss else None
        return cls(state, judged.found, loss, solution, AttemptRating.of(rated) if rated else None)


class Solver(JsonObject, frozen=True):
    """A player's rating at puzzles, and first attempts so far."""

    rating: int
    uncertainty: Annotated[Number, Meta(description="Two standard deviations of the rating.")]
    is_provisional: Annotated[bool, Meta(description="Until ten attempts are rated.")]
    solved: Annotated[Number, Meta(description="Puzzles that were solved at the first attempt.")]
    failed: Annotated[Number, Meta(description="Puzzles that were not, and have not been solved since.")]

    @classmethod
    def of(cls, record: reading.Record) -> Solver:
        figures = figures_of(record.strength)
        return cls(figures.rating, figures.uncertainty, figures.is_provisional, record.solved, record.failed)


class FailedPuzzles(JsonObject, frozen=True):
    """The puzzles that you failed and have not solved since, the last first."""

    puzzles: Annotated[list[PuzzleId], Meta(max_length=reading.MOST_FAILED)]


class RunPosition(JsonObject, frozen=True):
    """The puzzle that a streak or a storm shows; its id is named once it is over."""

    number: Annotated[Ordinal, Meta(description="The number of the puzzle in the run.")]
    position: Annotated[PositionText, Meta(description="After the right removals so far, with the whole stock.")]
    choices: Annotated[Ordinal, Meta(description="The number of removals that are possible at its beginning.")]
    removals: Annotated[Ordinal, Meta(description="The number of removals to find.")]
    removed: Annotated[Moves, Meta(description="The right removals so far.")]

    @classmethod
    def of(cls, run: models.PuzzleRun) -> RunPosition:
        puzzle = library.find_puzzle(run.puzzle)
        position = puzzle.position_after(len(run.removals))
        return cls(run.number, position.text, puzzle.choices, puzzle.decisions, run.removals)


class Run(JsonObject, frozen=True):
    """A streak, which ends with the first mistake, or a storm, which ends with its time."""

    id: Id
    kind: Kind
    state: Literal["running", "over"]
    solved: Annotated[Number, Meta(description="The puzzles solved so far.")]
    mistakes: Annotated[Number, Meta(description="The wrong removals so far. In a storm each costs ten seconds.")]
    best: Annotated[Number, Meta(description="The most puzzles that you solved in a run of this kind.")]
    started_at: Time
    ends_at: Annotated[Time | None, Meta(description="When the time of a storm is up.")]
    ended_at: Time | None
    server_now: Time
    shown: Annotated[RunPosition | None, Meta(description="Null once it is over.")]

    @classmethod
    def of(cls, run: models.PuzzleRun, now: datetime) -> Run:
        over = run.is_over(now)
        return cls(
            id=run.pk,
            kind=cast(Kind, run.kind),
            state="over" if over else "running",
            solved=run.solved,
            mistakes=run.mistakes,
            best=best_of(run.player, run.kind) if over else max(run.best_before, run.solved),
            started_at=run.started_at,
            ends_at=run.ends_at,
            ended_at=run.ended_at,
            server_now=now,
            shown=None if over else RunPosition.of(run),
        )


class RunSolution(JsonObject, frozen=True):
    """The puzzle that ended a streak, with its solution."""

    puzzle: PuzzleId
    loss: Loss
    solution: Solution


class RunStep(JsonObject, frozen=True):
    """The verdict on a removal in a streak or a storm, and how it stands now."""

    state: JudgedState
    mistake: Annotated[RunSolution | None, Meta(description="Once a mistake has ended a streak.")]
    run: Run

    @classmethod
    def of(cls, step: runs.Step, now: datetime) -> RunStep:
        judged, puzzle = step.judgement, step.puzzle
        mistake = None
        if judged.loss and step.run.kind == "streak":
            mistake = RunSolution(puzzle.id, Loss.of(judged.loss), Solution.of(puzzle))
        return cls(_state_of(judged), mistake, Run.of(step.run, now))


class RunInput(Input, frozen=True):
    """The run to begin."""

    example: ClassVar[dict[str, object]] = {"kind": "storm"}

    kind: Kind


class RemovalInput(Input, frozen=True):
    """The removals so far in the puzzle that a run shows."""

    example: ClassVar[dict[str, object]] = {"number": 1, "moves": ["5d8h"]}

    number: PuzzleNumber
    moves: Removals


class PuzzleDay(JsonObject, frozen=True):
    """The puzzle of a day."""

    day: date
    puzzle: PuzzleId


class PuzzleDays(JsonObject, frozen=True):
    """Days with their puzzles, newest first."""

    days: list[PuzzleDay]
    older: Annotated[Address | None, Meta(description="The address of the next page, null on the last.")]


class PuzzleDaysInput(Input, frozen=True):
    """The days to list."""

    until: Annotated[date | UnsetType, Meta(description="The newest day to list; today, if it is left out.")] = UNSET


class AttemptInput(Input, frozen=True):
    """The removals of an attempt so far."""

    example: ClassVar[dict[str, object]] = {"moves": ["5d8h"]}

    moves: Removals


def _state_of(judged: judging.Judgement) -> JudgedState:
    return "wrong" if judged.loss else "solved" if judged.is_solved else "goes_on"
