"""Examples of the review of scores for the OpenAPI document, and every refusal."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from games.kit.rest.openapi import REFUSALS
from leaderboards import errors
from leaderboards.rest import review_schemas as schemas
from leaderboards.review.reasons import words_of

GAME = "4hzk1m8w0qtx"
DECIDED_AT = datetime(2026, 11, 21, 17, 2, tzinfo=UTC)
REPORT = schemas.Report(GAME, DECIDED_AT - timedelta(hours=22))
WORDS = words_of("second_account")
OWN = schemas.ReviewOfYours(
    [schemas.ReviewedScore(GAME, date(2026, 11, 20), "standard", "disqualified", WORDS)],
    [
        schemas.ReviewDecision(
            number=7,
            decided_at=DECIDED_AT,
            outcome="disqualify",
            reason="second_account",
            words=WORDS,
            games=[GAME],
            is_answer=False,
            appeal_until=DECIDED_AT + timedelta(days=14),
            appealed_at=None,
        )
    ],
)
FIGURES = schemas.Transparency(
    [
        schemas.ReviewMonth(
            month="2026-11",
            opened=31,
            reported=12,
            decided={"clear": 20, "disqualify": 8},
            median_hours=7.2,
            longest_hours=44.0,
            appeals=2,
            appeals_answered=2,
            appeals_upheld=1,
        )
    ],
    lines=104,
    link="0f9d" * 16,
)

REFUSALS.update(
    {
        type(refusal): refusal
        for refusal in (
            errors.NotReportable("this is your own score"),
            errors.NotAppealable("you have appealed against this decision before"),
            errors.AppealTooLate("the time for an appeal ended at 2026-12-05T17:02:00+00:00"),
        )
    }
)
