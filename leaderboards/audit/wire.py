from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from games.calendar.dealing import outcomes_of
from games.calendar.models import DailyDeal
from games.days.disclosure import Awaited, awaited
from games.days.wire import Beacon
from games.deals.daily import Division
from games.deals.grading import Grade
from games.doors.wire import Input, JsonObject, LastId, Milliseconds, Number, Sha256
from games.play.notation_wire import DeckText, GameId, Result, RuleSlug
from leaderboards.audit.day_export import ExportedResult, deals_of
from leaderboards.audit.models import DayRoot

Leaf = Annotated[str, Meta(pattern=r"^pyramid/result/1(\|[!-{}~]+)+$")]


class ExportedDeal(JsonObject, frozen=True):
    """A deal of a sealed day, with everything that its commitment covered."""

    rules: RuleSlug
    division: Division
    grade: Grade | None
    commitment: Sha256
    seed: Sha256
    beacon: Annotated[Beacon | None, Meta(description="The round on which the deal depends, if it does.")]
    candidate: Number
    deck: DeckText

    @classmethod
    def of(cls, row: DailyDeal, depends_on: Awaited | None) -> ExportedDeal:
        chosen = row.rules, Division(row.division), Grade(row.grade) if row.grade else None
        shown = Beacon.of(depends_on) if depends_on else None
        return cls(*chosen, row.commitment, row.seed, shown, row.candidate, row.deal.deck)


class DayLine(JsonObject, frozen=True, tag_field="type", tag="day"):
    """The first line: the day, its root, and its deals."""

    day: date
    count: Annotated[Number, Meta(description="How many results follow, on all pages.")]
    root: Sha256
    deals: list[ExportedDeal]

    @classmethod
    def of(cls, root: DayRoot) -> DayLine:
        rows = deals_of(root.day)
        outcomes = outcomes_of(rows)
        deals = [ExportedDeal.of(row, awaited(row, outcomes)) for row in rows]
        return cls(root.day, root.count, root.root, deals)


class ResultLine(JsonObject, frozen=True, tag_field="type", tag="result"):
    """A result. `leaf` is the text that was hashed; `record` names no player."""

    index: Number
    game: GameId
    rules: RuleSlug
    division: Division
    entrants: Literal["people", "bots"]
    result: Result
    cards_left: Number
    moves: Number
    elapsed_ms: Milliseconds
    leaf: Leaf
    record: str

    @classmethod
    def of(cls, exported: ExportedResult) -> ResultLine:
        sealed, game = exported.sealed, exported.game
        _, _, rules, division, *_ = sealed.leaf.split("|")
        return cls(
            index=sealed.index,
            game=game.pk,
            rules=rules,
            division=Division(division),
            entrants=exported.entrants.name.lower(),  # type: ignore[arg-type]  # one of those
            result=game.status,  # type: ignore[arg-type]  # it has ended
            cards_left=game.cards_left or 0,
            moves=game.moves or 0,
            elapsed_ms=game.elapsed_ms or 0,
            leaf=sealed.leaf,
            record=exported.record,
        )


class FirstInput(Input, frozen=True):
    """The position to start from."""

    first: Annotated[LastId, Meta(description="The `index` of the first result.")] = 0
