"""Examples of retests for the OpenAPI document."""

from datetime import UTC, datetime, timedelta

from leaderboards.retests import models, wire
from leaderboards.retests.words import invitation

OFFERED_AT = datetime(2026, 11, 22, 17, 2, tzinfo=UTC)
BEGUN_AT = OFFERED_AT + timedelta(days=2)
_ROW = models.Retest(fresh=12, alike=8, minutes=120)
RETEST = wire.Retest(
    id="k3m9x2p7w4tq",
    state="running",
    end=None,
    rules="standard",
    deals=20,
    minutes=120,
    offered_at=OFFERED_AT,
    open_until=OFFERED_AT + timedelta(days=14),
    accepted_at=OFFERED_AT + timedelta(hours=3),
    begun_at=BEGUN_AT,
    ends_at=BEGUN_AT + timedelta(minutes=120),
    ended_at=None,
    games=[wire.RetestGame(1, "2fz4hzk1m8w0qtx", "won"), wire.RetestGame(2, "2fz7mq2s5v8y1bd", "playing")],
    words=invitation(_ROW),
)
RETESTS = wire.Retests([RETEST])
