"""Inputs and answers of the REST API about moderation."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from games.doors.wire import Code, Input, JsonObject, Number, Ordinal, Stripped, Text
from games.play.notation_wire import GameId, RuleSlug
from leaderboards.moderation import models
from leaderboards.moderation.own_scores import OwnDecision, OwnScore
from leaderboards.moderation.transparency import ModerationMonth

Time = Annotated[datetime, Meta(tz=True)]


class ReportInput(Input, frozen=True):
    """The suspicion about a score, for the reviewers."""

    example: ClassVar = {"text": "The same line as dune, an hour later."}

    text: Annotated[Stripped, Meta(max_length=500)] = ""


class AppealInput(Input, frozen=True):
    """The reason why a decision is wrong."""

    example: ClassVar = {"text": "My brother plays on the same tablet."}

    text: Annotated[Text, Meta(max_length=2000)]


class Report(JsonObject, frozen=True):
    """The receipt for a report of a score."""

    game: GameId
    reported_at: Time

    @classmethod
    def of(cls, row: models.Report) -> Report:
        return cls(row.game_id, row.at)


class ModeratedScore(JsonObject, frozen=True):
    """A score of yours that is not simply provisional or verified."""

    game: GameId
    day: date | None
    rules: RuleSlug
    state: Literal["flagged", "disqualified", "reinstated"]
    words: Annotated[str, Meta(description="Why, in plain words.")]

    @classmethod
    def of(cls, score: OwnScore) -> ModeratedScore:
        daily = score.game.daily
        return cls(
            score.game.pk,
            daily.day if daily else None,
            score.game.deal.rules,
            score.state,  # type: ignore[arg-type]  # one of those
            score.words,
        )


class ModerationDecision(JsonObject, frozen=True):
    """The decision that holds about scores of yours, or about your account."""

    number: Annotated[Ordinal, Meta(description="Its number in the decision log; an appeal names it.")]
    decided_at: Time
    outcome: Literal["clear", "flag", "disqualify", "reinstate", "ban", "unban"]
    reason: Annotated[Code, Meta(description="The code of the reason.")]
    words: Annotated[str, Meta(description="The reason in plain words.")]
    games: list[GameId]
    is_answer: Annotated[bool, Meta(description="It answers an appeal of yours.")]
    appeal_until: Annotated[Time | None, Meta(description="Until when you can appeal; null where you cannot.")]
    appealed_at: Annotated[Time | None, Meta(description="When you did; it waits for an answer.")]

    @classmethod
    def of(cls, decision: OwnDecision) -> ModerationDecision:
        line = decision.line
        return cls(
            number=line.number,
            decided_at=line.at,
            outcome=line.outcome,  # type: ignore[arg-type]  # one of those
            reason=line.reason,
            words=decision.words,
            games=list(line.games),
            is_answer=decision.is_answer,
            appeal_until=decision.appeal_until,
            appealed_at=decision.appeal.at if decision.appeal else None,
        )


class ModerationOfYours(JsonObject, frozen=True):
    """Your moderated scores, and the decisions about them."""

    scores: Annotated[list[ModeratedScore], Meta(description="The newest game first.")]
    decisions: Annotated[list[ModerationDecision], Meta(description="Newest first.")]


class Transparency(JsonObject, frozen=True):
    """Moderation in figures, counted from its log and from the decisions about names."""

    months: Annotated[list[ModerationMonth], Meta(description="Newest first.")]
    lines: Annotated[Number, Meta(description="Lines of the decision log.")]
