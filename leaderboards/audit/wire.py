from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import Meta

from games.doors.wire import Input, JsonObject, LastId
from leaderboards.audit import sealing
from leaderboards.audit.models import DayRoot
from leaderboards.boards.wire import Time


class RootsInput(Input, frozen=True):
    """The position in the chain to continue from."""

    after: Annotated[LastId, Meta(description="A number of the chain.")] = 0


class Root(JsonObject, frozen=True):
    """A root of a day and its link in the chain of roots; docs/daily-deals.md has the formulas."""

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
