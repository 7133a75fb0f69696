"""Notices between processes about races. Any of them may be lost, so watched races are also read now and then."""

from __future__ import annotations

from functools import partial

import msgspec
from django.db import transaction

from games.kit.pubsub import pubsub

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


def publish_progress(race_id: str, game_id: str, progress: Progress) -> None:
    """Tell all processes the progress of a game in a race. Never blocks."""
    pubsub().publish(TOPIC, {"race": race_id, "game": game_id, "progress": msgspec.to_builtins(progress)})
