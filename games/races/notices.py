"""Notices between processes about races. Any of them may be lost, so watched races are also read now and then."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

import msgspec
from django.db import transaction

from games.play.live.live_game import LiveGame
from games.play.session import Session
from games.runtime.per_loop import PerLoop
from games.runtime.pubsub import pubsub

TOPIC = "races"
TOGETHER_SECONDS = 0.1  # in which the games of a process move before one notice tells of all of them


class Progress(msgspec.Struct, frozen=True):
    """The progress of a game of a race; `outcome` is empty while it is played."""

    version: int
    cards_left: int
    moves: int
    elapsed_ms: int
    outcome: str = ""


class Start(msgspec.Struct, frozen=True):
    """The start of a race: the games that were made for its racers, by primary key."""

    begun_at: datetime
    cards_left: int
    games: dict[int, str]


class Notice(msgspec.Struct, frozen=True, omit_defaults=True):
    """News of some races: they have begun, or moved on in games, or else have to be read again."""

    races: list[str]
    starts: dict[str, Start] = {}
    progress: dict[str, dict[str, Progress]] = {}


def publish_change(*race_ids: str) -> None:
    """Tell all processes, after the commit, to read races again."""
    _publish_after_commit(Notice([*race_ids]))


def publish_starts(starts: Mapping[str, Start]) -> None:
    """Tell all processes, after the commit, what they would otherwise all have to read."""
    _publish_after_commit(Notice([*starts], starts=dict(starts)))


def publish_progress(game: LiveGame) -> None:
    """Tell all processes the progress of a game if it is in a race, together with that of others. Never blocks."""
    if game.race is not None:
        _moved().note(game.race, game.id, progress_of(game.session))


class _Moved:
    """The games of an event loop that have moved and of which no other process has heard."""

    def __init__(self) -> None:
        self._races: dict[str, dict[str, Progress]] = {}

    def note(self, race: str, game: str, progress: Progress) -> None:
        if not self._races:
            asyncio.get_running_loop().call_later(TOGETHER_SECONDS, self._publish)
        self._races.setdefault(race, {})[game] = progress

    def _publish(self) -> None:
        races, self._races = self._races, {}
        _publish(Notice([*races], progress=races))


_moved = PerLoop(_Moved)


def _publish_after_commit(notice: Notice) -> None:
    transaction.on_commit(partial(_publish, notice))


def _publish(notice: Notice) -> None:
    message: dict[str, Any] = msgspec.to_builtins(notice, str_keys=True)
    pubsub().publish(TOPIC, message)


def progress_of(session: Session) -> Progress:
    """Return the progress of a game in a race."""
    play = session.play
    return Progress(
        play.version, play.position.cards_left, play.moves, play.elapsed_ms, play.result.value if play.result else ""
    )
