from datetime import UTC, datetime, timedelta

from games.players import wire
from games.players.models import Player

STARTED = datetime(2026, 3, 1, 10, tzinfo=UTC)
NOW = STARTED + timedelta(seconds=58, milliseconds=209)

ALICE = Player(username="guest-k2m8p1xz7f3q", display_name="Alice", is_guest=True)
PLAYER = wire.Player.of(ALICE)
CAROL = wire.Player.of(Player(username="carol", display_name="Carol"))
ROBOT = wire.Player.of(Player(username="deep-thirteen", display_name="Deep Thirteen", is_bot=True))
