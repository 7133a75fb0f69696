from datetime import timedelta

from games.doors.scopes import Scope
from games.keys.wire import Key, Keys, SignedIn
from games.players.examples import CAROL, PLAYER, STARTED

GUEST = SignedIn(PLAYER, "e5c62d" + "0" * 58, STARTED + timedelta(days=30))
NAMED = SignedIn(CAROL, "7b1f0a" + "0" * 58, STARTED + timedelta(days=30))
_SCOPES = [Scope.READ, Scope.PLAY]
KEYS = Keys(
    [
        Key(
            *("7b1f0a6cd2e94f38", "token", "My bot", STARTED, STARTED, STARTED + timedelta(days=30)),
            scopes=_SCOPES,
            is_current=True,
        )
    ]
)
