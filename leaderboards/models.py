"""Boards and their entries. An entry is exactly one game and is never changed."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from games.models import Game, Player
from leaderboards.boards import BoardKey


class Board(models.Model):
    """A score table. `version` counts its changes, which the row's lock puts into one order.

    A board that nobody has entered yet has no row: unsaved, it is an empty table at version 0.
    """

    slug = models.CharField(max_length=80, unique=True)
    version = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["slug"]

    def __str__(self) -> str:
        return self.slug

    @property
    def key(self) -> BoardKey:
        return BoardKey.parse(self.slug)


class Entry(models.Model):
    """One game on a board, since the version of the board that it made; the smaller `key` ranks first."""

    board = models.ForeignKey(Board, models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries")
    game = models.ForeignKey(Game, models.PROTECT, related_name="entries")
    key = models.BigIntegerField()
    since = models.PositiveBigIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["board", "game"], name="one_entry_per_board_and_game"),
            models.UniqueConstraint(fields=["board", "player"], name="one_entry_per_board_and_player"),
            models.UniqueConstraint(fields=["board", "since"], name="one_change_per_version"),
            models.CheckConstraint(name="keys_from_zero", condition=models.Q(key__gte=0)),
        ]
        indexes: ClassVar = [
            models.Index(fields=["board", "key", "since"], name="entries_in_order"),
        ]
        ordering: ClassVar = ["board", "key", "since"]

    def __str__(self) -> str:
        return f"{self.game_id} on board {self.board_id}"
