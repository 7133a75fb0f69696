from datetime import timedelta

from games.personal_data.wire import Export
from games.players.examples import NOW, STARTED

EXPORT = Export("done", 12, 12, STARTED, NOW, NOW + timedelta(days=7))
PENDING_EXPORT = Export("pending", 4, 12, STARTED, None, None)
