"""Examples of cups for the documents of the API."""

from datetime import UTC, datetime, timedelta

import msgspec

from games.cups import wire

OPENS = datetime(2026, 3, 1, 20, tzinfo=UTC)
LISTED = wire.ListedCup(
    id="4m7vq1ht2x9k",
    name=None,
    host=None,
    circle=None,
    rules="standard",
    for_bots=False,
    state="playing",
    announced_for=OPENS,
    opens_at=OPENS,
    qualifies_until=OPENS + timedelta(minutes=15),
    ended_at=None,
    end=None,
)
CUPS = wire.Cups([LISTED], [])
_SEATS = [
    wire.CupSeat("carol", 1, 9, None, None, None, None),
    wire.CupSeat("dave", 2, 11, None, None, None, None),
    wire.CupSeat("erin", 3, 14, None, None, None, None),
]
CUP = wire.Cup(
    **msgspec.structs.asdict(LISTED),
    entrants=3,
    limit_s=600,
    swiss_rounds=0,
    divisions=1,
    division=1,
    rounds=[[wire.CupMatch(1, "2x9k4m7vq1ht", OPENS + timedelta(minutes=15, seconds=6), None, _SEATS)]],
    players=[
        wire.CupPlayer("carol", "Carol", 1, None, None),
        wire.CupPlayer("dave", "Dave", 2, None, None),
        wire.CupPlayer("erin", "Erin", 3, None, None),
    ],
    letters=None,
)
TOURNAMENT = msgspec.structs.replace(
    CUP,
    name="Oxbow Open",
    host="carol",
    state="announced",
    qualifies_until=OPENS,
    divisions=0,
    rounds=[],
    players=[wire.CupPlayer("carol", "Carol", None, None, None), wire.CupPlayer("dave", "Dave", None, None, None)],
    entrants=2,
    letters="BCDFGH",
)
OWN_CUPS = wire.OwnCups(
    [msgspec.structs.replace(LISTED, name="Oxbow Open", host="carol", state="announced", qualifies_until=OPENS)]
)
ENTERED = wire.Entered(LISTED.id, "26b7f3kq2m8p1xz")
