"""The store of browser sessions (`SESSION_ENGINE`), which knows whose a session is and when it was last used."""

from datetime import timedelta
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from games.keys.models import BrowserSession
from games.runtime.clock import clock

NOTED_EVERY = timedelta(days=1)
NOBODYS_SECONDS = 30 * 60


class SessionStore(DatabaseStore):
    """Sessions that last as long as they are used: the first request of a day extends one, in row and cookie."""

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def get_session_cookie_age(self) -> int:
        """Return how long a session lasts: one of nobody only until what a visitor does before a sign-in is done."""
        signed_in: int = super().get_session_cookie_age()
        return signed_in if SESSION_KEY in self else NOBODYS_SECONDS

    def load(self) -> dict[str, Any]:
        row: BrowserSession | None = self._get_session_from_db()  # type: ignore[attr-defined]  # not in the stubs
        if row is None:
            return {}
        if clock.now() - row.used_at >= NOTED_EVERY:
            self.modified = True
        return self.decode(row.session_data)

    def create_model_instance(self, data: dict[str, Any]) -> BrowserSession:
        row = cast(BrowserSession, super().create_model_instance(data))
        row.player_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        row.used_at = clock.now()
        return row
