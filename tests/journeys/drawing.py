"""Players who draw a card and take it back, again and again, and know which of their moves were acknowledged."""

from __future__ import annotations

from collections.abc import Callable

from tests.journeys.conftest import Server


class Drawing:
    """A player who does that over REST."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._token = server.post("/api/guests/", {})["token"]
        game = server.post("/api/games/", {"kind": "practice", "rules": "standard"}, self._token)["id"]
        self._game = f"/api/games/{game}"
        self.acknowledged = self.stored

    @property
    def stored(self) -> int:
        version: int = self._server.get(f"{self._game}/state/", self._token)["version"]
        return version

    def move(self) -> None:
        body = {"version": self.acknowledged, "action": "DU"[self.acknowledged % 2]}
        self._server.post(f"{self._game}/actions/", body, self._token)
        self.acknowledged += 1

    def move_until_refused(self, after_each: Callable[[], None]) -> None:
        """Move on: the database has some space left in its log."""
        while True:
            self.move()
            after_each()
