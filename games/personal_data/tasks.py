"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import timedelta

from games.personal_data.erasure import erase_games_left
from games.personal_data.exports import prepare_exports, remove_old_exports
from games.personal_data.retention import forget_guest_practice, forget_idle_guests
from games.worker.tasks import register

register(prepare_exports, every=timedelta(seconds=1))
register(remove_old_exports, every=timedelta(minutes=10))
register(erase_games_left, every=timedelta(minutes=1))
register(forget_idle_guests, every=timedelta(minutes=10))
register(forget_guest_practice, every=timedelta(minutes=10))
