"""Notices between processes about races. Any of them may be lost, so watched races are also read now and then."""

from functools import partial

import msgspec
from django.db import transaction

from games.play.live.live_game import LiveGame
from games.play.session import Session
from games.runtime.pubsub import pubsub

TOPIC = "races"


class Progress(msgspec.Struct, frozen=True):
    """The progress of a game of a race; `outcome` is empty while it is played."""

    version: int
    cards_left: int
    moves: int
    elapsed_ms: int
    outcome: str = ""


def publish_change(race_id: str) -> None:
    """Tell all processes, after the commit, to read a race again."""
    transaction.on_commit(partial(pubsub().publish, TOPIC, {"race": race_id}))


def publish_progress(game: LiveGame) -> None:
    """Tell all processes the progress of a game if it is in a race. Never blocks."""
    if game.race is not None:
        progress = msgspec.to_builtins(progress_of(game.session))
        pubsub().publish(TOPIC, {"race": game.race, "game": game.id, "progress": progress})


def progress_of(session: Session) -> Progress:
    """Return the progress of a game in a race."""
    play = session.play
    return Progress(
        play.version, play.position.cards_left, play.moves, play.elapsed_ms, play.result.value if play.result else ""
    )
