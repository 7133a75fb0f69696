"""The durable log: a change is committed before anyone is told of it.

There is no lock. Whoever writes a version second loses on the unique constraint and loads the game anew.
"""

from __future__ import annotations

from dataclasses import asdict

from asgiref.sync import sync_to_async
from django.db import IntegrityError, transaction

from games.errors import Conflict
from games.events import game_finished
from games.models import Game, Move
from games.session import Change, Step, Summary


def commit(change: Change) -> None:
    """Make a change durable. Raises `Conflict`, with nothing written, if the game has moved on without us."""
    try:
        with transaction.atomic():
            if change.step is not None:
                _append(change.game, change.step)
            if change.summary is not None:
                _finish(change.game, change.summary)
    except IntegrityError as error:
        raise Conflict(f"game {change.game} was changed by someone else meanwhile") from error


# Not Channels' `database_sync_to_async`: it gives the connection back around each call, and SQLite opens its file anew.
commit_async = sync_to_async(commit)


def _append(game: str, step: Step) -> None:
    Move.objects.create(
        game_id=game, version=step.version, action=step.action.text, at_ms=step.at_ms, client_ms=step.client_ms
    )


def _finish(game: str, summary: Summary) -> None:
    finished = Game.objects.filter(pk=game, status=Game.Status.PLAYING).update(**asdict(summary))
    if not finished:
        raise IntegrityError(f"game {game} has ended already")
    transaction.on_commit(lambda: _announce(game), robust=True)


def _announce(game: str) -> None:
    game_finished.send(Game, game=Game.objects.get(pk=game))
