"""Examples of moderation for the OpenAPI document, and every refusal."""

from datetime import UTC, date, datetime, timedelta

from leaderboards.moderation import wire
from leaderboards.moderation.choices import words_of
from leaderboards.moderation.transparency import ModerationMonth

GAME = "2ek4hzk1m8w0qtx"
DECIDED_AT = datetime(2026, 11, 21, 17, 2, tzinfo=UTC)
REPORT = wire.Report(GAME, DECIDED_AT - timedelta(hours=22))
WORDS = words_of("second_account")
OWN = wire.ModerationOfYours(
    [wire.ModeratedScore(GAME, date(2026, 11, 20), "standard", "disqualified", WORDS)],
    [
        wire.ModerationDecision(
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
FIGURES = wire.Transparency(
    [
        ModerationMonth(
            month="2026-11",
            opened=31,
            reported=12,
            decided={"clear": 20, "disqualify": 8},
            median_hours=7.2,
            longest_hours=44.0,
            appeals=2,
            appeals_answered=2,
            appeals_upheld=1,
            names_decided=3,
            names_removed=1,
        )
    ],
    lines=104,
)
