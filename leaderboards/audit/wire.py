from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from games.calendar.models import DailyDeal
from games.doors.wire import Input, JsonObject, LastId
from leaderboards.audit import sealing
from leaderboards.audit.day_export import ExportedResult, deals_of
from leaderboards.audit.models import DayRoot
from leaderboards.boards.wire import Time


class RootsInput(Input, frozen=True):
    """The position in the chain to continue from."""

    after: Annotated[LastId, Meta(description="A number of the chain.")] = 0


class Root(JsonObject, frozen=True):
    """A root of a day and its link in the chain of roots; docs/proofs.md has the formulas."""

    number: Annotated[int, Meta(description="1, 2, 3 ... in the order of the days.")]
    day: date
    count: Annotated[int, Meta(description="How many verified results there are.")]
    root: Annotated[str, Meta(description="The root of their Merkle tree, hexadecimal.")]
    link: str
    made_at: Time

    @classmethod
    def of(cls, row: DayRoot) -> Root:
        return cls(row.number, row.day, row.count, row.root, row.link, row.made_at)


class Roots(JsonObject, frozen=True):
    """Some roots of the chain."""

    roots: Annotated[list[Root], Meta(description="Oldest first.")]
    next: Annotated[str | None, Meta(description="The address of later ones, if there may be some.")]


class Proof(JsonObject, frozen=True):
    """The proof that a result is in the tree of its day."""

    game: str
    day: date
    leaf: Annotated[str, Meta(description="The result as the text that was hashed.")]
    index: Annotated[int, Meta(description="Which leaf of the tree, from 0.")]
    count: Annotated[int, Meta(description="How many leaves there are.")]
    path: Annotated[list[str], Meta(description="Hashes up to the root, the nearest first.")]
    root: str

    @classmethod
    def of(cls, proof: sealing.Proof) -> Proof:
        sealed, tree = proof.sealed, proof.sealed.day_root
        return cls(sealed.game_id, tree.day, sealed.leaf, sealed.index, tree.count, proof.path, tree.root)


class ExportedDeal(JsonObject, frozen=True):
    """A deal of a sealed day, with everything that its commitment covered."""

    rules: str
    division: str
    grade: str | None
    commitment: str
    seed: str
    candidate: int
    deck: str

    @classmethod
    def of(cls, row: DailyDeal) -> ExportedDeal:
        return cls(row.rules, row.division, row.grade, row.commitment, row.seed, row.candidate, row.deal.deck)


class DayLine(JsonObject, frozen=True, tag_field="type", tag="day"):
    """The first line: the day, its root, and its deals."""

    day: date
    number: int
    count: Annotated[int, Meta(description="How many results follow, on all pages.")]
    root: str
    link: str
    deals: list[ExportedDeal]

    @classmethod
    def of(cls, root: DayRoot) -> DayLine:
        return cls(
            root.day,
            root.number,
            root.count,
            root.root,
            root.link,
            [ExportedDeal.of(row) for row in deals_of(root.day)],
        )


class ResultLine(JsonObject, frozen=True, tag_field="type", tag="result"):
    """A result. `leaf` is the text that was hashed; `record` names no player."""

    index: int
    game: str
    rules: str
    division: str
    entrants: Literal["people", "bots", "assisted"]
    result: str
    cards_left: int
    moves: int
    elapsed_ms: int
    leaf: str
    record: str

    @classmethod
    def of(cls, exported: ExportedResult) -> ResultLine:
        sealed, game = exported.sealed, exported.game
        _, _, rules, division, *_ = sealed.leaf.split("|")
        return cls(
            index=sealed.index,
            game=game.pk,
            rules=rules,
            division=division,
            entrants=exported.entrants.name.lower(),  # type: ignore[arg-type]  # one of those
            result=game.status,
            cards_left=game.cards_left or 0,
            moves=game.moves or 0,
            elapsed_ms=game.elapsed_ms or 0,
            leaf=sealed.leaf,
            record=exported.record,
        )


class FirstInput(Input, frozen=True):
    """The position to start from."""

    first: Annotated[LastId, Meta(description="The `index` of the first result.")] = 0
