from __future__ import annotations

from datetime import date
from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, UnsetType

from games.doors.wire import Address, Input, JsonObject, Number, Ordinal, Path
from games.play.notation_wire import CARD, CardText, Moves, PositionText, RuleSlug
from games.puzzles import judging, library
from games.puzzles.packing import ID_LENGTH, MOST_DECISIONS, RULES
from games.puzzles.themes import Theme

PuzzleId = Annotated[str, Meta(pattern=f"^[0-9a-f]{{{ID_LENGTH}}}$", max_length=ID_LENGTH)]


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


class Judgement(JsonObject, frozen=True):
    """The verdict on the removals of an attempt. The solution comes with it once the attempt is over."""

    state: Literal["wrong", "goes_on", "solved"]
    found: Annotated[Number, Meta(description="The number of removals that are right.")]
    loss: Loss | None
    solution: Solution | None

    @classmethod
    def of(cls, puzzle: library.Puzzle, judged: judging.Judgement) -> Judgement:
        state: Literal["wrong", "goes_on", "solved"] = (
            "wrong" if judged.loss else "solved" if judged.is_solved else "goes_on"
        )
        solution = None if state == "goes_on" else Solution.of(puzzle)
        return cls(state, judged.found, Loss.of(judged.loss) if judged.loss else None, solution)


class PuzzleDay(JsonObject, frozen=True):
    """The puzzle of a day."""

    day: date
    puzzle: PuzzleId


class PuzzleDays(JsonObject, frozen=True):
    """Days with their puzzles, newest first."""

    days: list[PuzzleDay]
    older: Annotated[Address | None, Meta(description="The address of the next page, null on the last.")]


class NextPuzzleInput(Input, frozen=True):
    """The puzzle after which to go on."""

    after: Annotated[PuzzleId | UnsetType, Meta(description="The puzzle before it; without one, any.")] = UNSET


class PuzzleDaysInput(Input, frozen=True):
    """The days to list."""

    until: Annotated[date | UnsetType, Meta(description="The newest day to list; today, if it is left out.")] = UNSET


class AttemptInput(Input, frozen=True):
    """The removals of an attempt so far."""

    example: ClassVar[dict[str, object]] = {"moves": ["5d8h"]}

    moves: Annotated[
        list[Annotated[str, Meta(pattern=f"^({CARD}){{1,2}}$", max_length=4)]],
        Meta(min_length=1, max_length=MOST_DECISIONS, description="Without draws, the last one being new."),
    ]
