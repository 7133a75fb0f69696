"""Playing a game one action at a time, for a door that keeps no session between two of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import cast

from games import journal
from games.errors import HintsNotAllowed
from games.models import Game
from games.rules import HINT, Action, Play
from games.services.attempts import open_session
from games.session import Step


@dataclass(frozen=True, slots=True)
class Turn:
    """An action that is durable, and the play it belongs to."""

    step: Step
    play: Play

    @property
    def finished(self) -> Play | None:
        """The play if it has ended."""
        return self.play if self.play.result is not None else None


def take_action(game: Game, text: str, version: int, now: datetime, client_ms: int | None = None) -> Turn:
    """Take an action, such as `4s9s` or `U`, that was chosen at a version.

    Raises what `Session.act` and `journal.commit` raise, and `NotationError`.
    """
    session = open_session(game, now)
    action = Action.from_text(text, decks=session.rules.decks)
    if action is HINT:
        raise HintsNotAllowed("hints are given on the socket of a game")
    change = session.act(action, version, now, client_ms)
    if not change.repeated:
        journal.commit(change)
    return Turn(cast(Step, change.step), session.play)


def resign(game: Game, version: int, now: datetime) -> Play:
    """Give up and return the ended play. Raises what `Session.resign` and `journal.commit` raise."""
    session = open_session(game, now)
    journal.commit(session.resign(version, now))
    return session.play
