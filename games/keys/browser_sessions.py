"""The store of browser sessions (`SESSION_ENGINE`), which knows whose a session is and when it was last used."""

from datetime import timedelta
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db.models import QuerySet

from games.keys.models import BrowserSession
from games.runtime.clock import clock
from games.runtime.kept_queries import instances_of

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
        now = clock.now()
        for session in instances_of(_with_key, self.session_key):
            if now < session.expire_date:
                self.modified |= now - session.used_at >= NOTED_EVERY
                return self.decode(session.session_data)
        self._session_key = None  # there is no such session: what is kept gets a key of its own
        return {}

    def create_model_instance(self, data: dict[str, Any]) -> BrowserSession:
        row = cast(BrowserSession, super().create_model_instance(data))
        row.player_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        row.used_at = clock.now()
        return row


def _with_key(key: str) -> QuerySet[BrowserSession]:
    return BrowserSession.objects.filter(pk=key)
