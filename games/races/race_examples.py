"""Examples of races for the documents of the API and of the sockets."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from games.races import wire

CREATED = datetime(2026, 3, 1, 10, tzinfo=UTC)
_TERMS: dict[str, Any] = {
    "id": "2x9k4m7vq1ht",
    "rules": "standard",
    "tie_break": "time",
    "limit_s": 600,
    "countdown_s": 10,
    "is_public": False,
    "is_rated": False,
    "admits_bots": False,
    "circle": None,
    "state": "open",
    "host": "carol",
    "hour": None,
    "created_at": CREATED,
    "starts_at": None,
    "ends_at": None,
    "ended_at": None,
    "end": None,
}
CAROL = wire.Racer("carol", "Carol", False, None, None, None, None, None, None, None)
ALICE = msgspec.structs.replace(CAROL, handle="guest-k2m8p1xz7f3q", display_name="Alice")
RACE = wire.Race(
    **_TERMS,
    racers=[CAROL, ALICE],
    invite="5f0c4f7a9be1d2c38a6405b7e91d23fc",
    game=None,
    deal=None,
    rematch_of=None,
    rematch=None,
)
ENDED = {
    "is_public": True,
    "state": "ended",
    "starts_at": CREATED + timedelta(minutes=1),
    "ends_at": CREATED + timedelta(minutes=11),
    "ended_at": CREATED + timedelta(minutes=5),
    "end": "all_finished",
}
INVITED = wire.Invited(RACE.id, "dave")
CIRCLE_INVITED = wire.CircleInvited(RACE.id, "4m7vq1ht2x9k")
LEFT = wire.Left(RACE.id)
LISTED = wire.ListedRace(**{**_TERMS, "is_public": True}, racers=2)
RACES = wire.Races([LISTED], None)
PAST = wire.ListedRace(**{**_TERMS, **ENDED}, racers=2)
OWN_RACES = wire.OwnRaces([wire.OwnRace(PAST, 1, "won", 0, 43, 171_250, "26b7f3kq2m8p1xz")], None)
RUNNING = msgspec.structs.replace(CAROL, result="playing", cards_left=21, moves=9, elapsed_ms=30_120)
