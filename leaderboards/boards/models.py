"""Boards, the history of their entries, games to be entered, decisions about games, and followed players."""

import hashlib
from datetime import date, datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Max, Q
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from games.play.models import FIRST_DAY, Game
from games.players.models import Player
from leaderboards.boards.catalog import BoardKey


class EntryState(models.TextChoices):
    """The state of a score. A score has a rank unless it is disqualified, or a flag of the server holds it."""

    PROVISIONAL = "provisional", _("Provisional")
    VERIFIED = "verified", _("Verified")
    FLAGGED = "flagged", _("Flagged")
    DISQUALIFIED = "disqualified", _("Disqualified")
    REINSTATED = "reinstated", _("Reinstated")


# A number of a board begins with its first day, in 15 bits, and ends with 48 bits of the hash of its name; on tables of
# all time the day is 0. So the keys of entries carry a day, by which a database can divide them (docs/growing.md).
NAME_BITS = 48


def first_number_of(day: date) -> int:
    """Return the number from which on boards begin on a day or later."""
    return max(0, (day - FIRST_DAY).days + 1) << NAME_BITS


def number_of(slug: str) -> int:
    """Return the number of a board. Raises ValueError unless the name is that of a board."""
    digest = hashlib.sha256(slug.encode()).digest()
    return first_number_of(BoardKey.parse(slug).first) + int.from_bytes(digest[: NAME_BITS // 8])


class BoardNumberField(models.BigIntegerField):  # type: ignore[type-arg]  # Django has no such arguments
    """The number of a board, which it gets when it is saved; to migrations it is an integer."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"default": None, "editable": False})

    def deconstruct(self) -> tuple[Any, Any, Any, Any]:
        name, _, arguments, options = super().deconstruct()
        del options["default"]
        return name, "django.db.models.BigIntegerField", arguments, options

    def get_pk_value_on_save(self, instance: Any) -> int:
        return number_of(instance.slug)


class Board(models.Model):
    """A score table. `version` counts its changes, which the lock on this row serialises.

    A board without entries has no row: it is an unsaved, empty table at version 0.
    """

    id: "models.BigIntegerField[int, int]" = BoardNumberField(primary_key=True)
    slug = models.CharField(max_length=80, unique=True)
    version = models.PositiveBigIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["slug"]

    def __str__(self) -> str:
        return self.slug

    @cached_property
    def key(self) -> BoardKey:
        return BoardKey.parse(self.slug)

    def version_at(self, moment: datetime) -> int:
        """Return the version that the board had at a time."""
        made = Entry.objects.filter(board_id=self.pk, changed_at__lte=moment).aggregate(last=Max("valid_from"))
        return made["last"] or 0


class ValueCounts(models.Model):
    """The frequency of each value of a field on a board at a version, from which histograms start.

    `counts` has rows of a value in units of the field, whether the entries are wins, whether they are verified, and
    their number. The row can be discarded at any time: the entries tell the same.
    """

    board = models.ForeignKey(Board, models.CASCADE, related_name="value_counts", db_index=False)
    field = models.CharField(max_length=12)
    version = models.PositiveBigIntegerField()
    counts: Any = models.JSONField()

    class Meta:
        verbose_name_plural = "value counts"
        constraints: ClassVar = [models.UniqueConstraint(fields=["board", "field"], name="counted_once")]
        ordering: ClassVar = ["board", "field"]

    def __str__(self) -> str:
        return f"{self.field} on board {self.board_id}"


class LookedAt(models.Model):
    """The version of a board up to which players were notified that others passed them."""

    board = models.OneToOneField(Board, models.CASCADE, primary_key=True, related_name="looked_at")
    version = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.board_id} up to {self.version}"


class Entry(models.Model):
    """A score on a board, valid from version `valid_from` until just before version `valid_to`.

    A score is exactly one game, or on a board of points the sum of a player's days; the smaller `key` ranks first.
    A row is never changed: it ends, and another with the same `entered_at_version` replaces it. That is the version in
    which the score was entered, and it orders equal keys. `listed` rows have a rank, at most one for each player;
    `held` ones have none until a person has decided.
    """

    # The indexes below begin with each of them; those that Django would add are never read.
    board = models.ForeignKey(Board, models.PROTECT, related_name="entries", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries", db_index=False)
    game = models.ForeignKey(Game, models.PROTECT, related_name="entries", null=True, db_index=False)
    key = models.BigIntegerField()
    entered_at_version = models.PositiveBigIntegerField()
    valid_from = models.PositiveBigIntegerField()
    changed_at = models.DateTimeField()
    valid_to = models.PositiveBigIntegerField(null=True)
    state = models.CharField(max_length=12, choices=EntryState.choices, default=EntryState.PROVISIONAL)
    listed = models.BooleanField(default=True)
    held = models.BooleanField(default=False, help_text="The server's own flag keeps it from a rank.")

    class Meta:
        verbose_name_plural = "entries"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "board"], condition=Q(valid_to=None), name="one_current_entry_per_board_and_game"
            ),
            models.UniqueConstraint(
                fields=["board", "player"],
                condition=Q(valid_to=None, listed=True),
                name="one_listed_entry_per_board_and_player",
            ),
            models.CheckConstraint(name="keys_from_zero", condition=Q(key__gte=0)),
            models.CheckConstraint(
                name="ends_after_it_begins", condition=Q(valid_to=None) | Q(valid_to__gt=F("valid_from"))
            ),
            models.CheckConstraint(name="unranked_is_not_listed", condition=~Q(state="disqualified", listed=True)),
            models.CheckConstraint(
                name="held_is_flagged_and_not_listed", condition=Q(held=False) | Q(state="flagged", listed=False)
            ),
        ]
        indexes: ClassVar = [
            # Includes `valid_from` and `valid_to`, so that a past version is counted from the index alone.
            models.Index(
                fields=["board", "key", "entered_at_version", "valid_from", "valid_to"],
                condition=Q(listed=True),
                name="entries_in_order",
            ),
            # For histories, and for whatever a game or a player ever had; the database asks it before one is deleted.
            models.Index(fields=["player", "board"], name="entries_of_player"),
            models.Index(fields=["game"], name="entries_of_game"),
            # For the changes between two versions.
            models.Index(fields=["board", "valid_from"], condition=Q(listed=True), name="entries_by_beginning"),
            models.Index(
                fields=["board", "valid_to"], condition=Q(listed=True, valid_to__isnull=False), name="entries_by_end"
            ),
            # For the version that a board had at a time.
            models.Index(fields=["board", "changed_at"], name="entries_by_time"),
            models.Index(fields=["game"], condition=Q(valid_to=None, state="provisional"), name="entries_to_verify"),
        ]
        ordering: ClassVar = ["board", "key", "entered_at_version"]

    def __str__(self) -> str:
        return f"{self.game_id or self.player_id} on board {self.board_id}"

    @property
    def may_rank(self) -> bool:
        """True unless a decision, or a flag that waits for one, keeps the score from a rank."""
        return self.state != EntryState.DISQUALIFIED and not self.held


class PendingGame(models.Model):
    """A ranked attempt that has ended and is not on its boards yet.

    A trigger adds the row when the game ends (`leaderboards.boards.guards`), and the transaction that enters the game
    deletes it. Remaining rows are still to be entered, or cannot be, for the reason in `error`.
    """

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="pending")
    finished_at = models.DateTimeField()
    error = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["finished_at"]

    def __str__(self) -> str:
        return f"{self.game_id} {self.error}".strip()


class Decision(models.Model):
    """A decision about a game's score, with its reason. The table is append-only; the last decision is in force."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="decisions")
    state = models.CharField(max_length=12, choices=EntryState.choices)
    reason = models.CharField(max_length=500)
    by = models.ForeignKey(Player, models.PROTECT, related_name="+", null=True, help_text="Empty: the server itself.")
    at = models.DateTimeField()
    confirmed_by = models.ForeignKey(
        Player, models.PROTECT, related_name="+", null=True, help_text="The second reviewer, who final days need."
    )

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["game"], condition=Q(state="flagged", by=None), name="flags_of_the_server"),
            models.Index(
                fields=["at"],
                condition=Q(state__in=["disqualified", "reinstated"]),
                name="decisions_that_change_ranks",
            ),
        ]
        ordering: ClassVar = ["game", "id"]

    def __str__(self) -> str:
        return f"{self.game_id} {self.state}"

    @property
    def holds(self) -> bool:
        """True for a flag of the server itself: no rank until a person decides. It moves nobody on a final day."""
        daily = self.game.daily
        is_by_server = self.by_id is None and self.state == EntryState.FLAGGED
        return is_by_server and daily is not None and self.at < daily.key.final_at


class Following(models.Model):
    """A player who follows another player's scores."""

    follower = models.ForeignKey(Player, models.CASCADE, related_name="followed")
    followed = models.ForeignKey(Player, models.CASCADE, related_name="followers")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["follower", "followed"], name="followed_once"),
            models.CheckConstraint(name="nobody_follows_themselves", condition=~Q(follower=F("followed"))),
        ]
        ordering: ClassVar = ["follower", "id"]

    def __str__(self) -> str:
        return f"{self.follower_id} follows {self.followed_id}"
