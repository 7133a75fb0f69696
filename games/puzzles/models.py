"""Attempts at puzzles, runs of several, and the ratings of players and puzzles that follow from them."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.players.models import ID_LENGTH, Player, new_id

PUZZLE_LENGTH = 16
"""Room for the id of a puzzle, which are ten digits of a hash."""


class PuzzleAttempt(models.Model):
    """The first attempt of a player at a puzzle. Later ones are judged, and change only `solved_later_at`.

    A rated one has the means of the player before and after it, and that of the puzzle before it.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="puzzle_attempts", db_index=False)
    puzzle = models.CharField(max_length=PUZZLE_LENGTH)
    at = models.DateTimeField()
    is_solved = models.BooleanField()
    found = models.PositiveSmallIntegerField(help_text="The right removals before the end.")
    mean_before = models.FloatField(null=True)
    mean = models.FloatField(null=True)
    puzzle_mean = models.FloatField(null=True)
    solved_later_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "puzzle"], name="one_first_attempt_per_player_and_puzzle"),
            models.CheckConstraint(
                name="rated_attempt_has_all_means",
                condition=Q(mean_before=None, mean=None, puzzle_mean=None)
                | Q(mean_before__isnull=False, mean__isnull=False, puzzle_mean__isnull=False),
            ),
            models.CheckConstraint(
                name="solved_attempt_is_not_solved_later", condition=Q(is_solved=False) | Q(solved_later_at=None)
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["player", "at"],
                condition=Q(is_solved=False, solved_later_at=None),
                name="failed_puzzles_of_player",
            )
        ]
        ordering: ClassVar = ["player", "at", "id"]

    def __str__(self) -> str:
        return f"{self.player_id} at {self.puzzle}: {'solved' if self.is_solved else 'failed'}"


class SolverRating(models.Model):
    """The rating of a player at puzzles. The lock on the row lets one attempt of the player follow the other."""

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="solver_rating")
    attempts = models.PositiveIntegerField()
    mean = models.FloatField()
    deviation = models.FloatField()

    def __str__(self) -> str:
        return f"{self.player_id}: {self.mean}"


class PuzzleRating(models.Model):
    """The rating of a puzzle that has been attempted; the others have that with which they begin."""

    puzzle = models.CharField(max_length=PUZZLE_LENGTH, primary_key=True)
    attempts = models.PositiveIntegerField()
    mean = models.FloatField()
    deviation = models.FloatField()

    def __str__(self) -> str:
        return f"{self.puzzle}: {self.mean}"


class PuzzleRun(models.Model):
    """A streak or a storm of a player: puzzle after puzzle, harder and harder, in an order that `seed` decides.

    `puzzle` is shown since `shown_at`, `removed` has the right removals so far. A run that has ended stays.
    """

    class Kind(models.TextChoices):
        STREAK = "streak"
        STORM = "storm"

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="puzzle_runs", db_index=False)
    kind = models.CharField(max_length=6, choices=Kind.choices)
    seed = models.CharField(max_length=32, editable=False)
    started_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, help_text="Of a storm: when its time is up.")
    ended_at = models.DateTimeField(null=True)
    solved = models.PositiveSmallIntegerField(default=0)
    mistakes = models.PositiveSmallIntegerField(default=0)
    best_before = models.PositiveSmallIntegerField(
        default=0, help_text="The most puzzles that its player had solved in a run of its kind before it."
    )
    hasty = models.PositiveSmallIntegerField(default=0, help_text="Puzzles solved faster than a person solves one.")
    puzzle = models.CharField(max_length=PUZZLE_LENGTH)
    removed = models.CharField(max_length=80, blank=True, default="")
    shown_at = models.DateTimeField()
    waits = models.BooleanField(default=False, help_text="It has ended and is not on the tables yet.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["player", "kind"], condition=Q(ended_at=None), name="one_running_run_per_player_and_kind"
            ),
            models.CheckConstraint(
                name="only_storms_have_a_time_limit",
                condition=Q(kind="storm", ends_at__isnull=False) | Q(kind="streak", ends_at=None),
            ),
            models.CheckConstraint(name="only_runs_that_ended_wait", condition=Q(waits=False) | ~Q(ended_at=None)),
        ]
        indexes: ClassVar = [
            models.Index(fields=["player", "kind", "-solved"], name="best_runs_of_player"),
            models.Index(fields=["ends_at"], condition=Q(ended_at=None, kind="storm"), name="running_storms"),
            models.Index(fields=["ended_at"], condition=Q(waits=True), name="runs_to_enter"),
        ]
        ordering: ClassVar = ["-started_at"]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}: {self.solved}"

    @property
    def number(self) -> int:
        """The number of the puzzle that is shown, from 1."""
        return self.solved + self.mistakes + 1

    @property
    def removals(self) -> list[str]:
        return self.removed.split()

    def is_over(self, now: datetime) -> bool:
        """Return True if the run has ended, or its time is up."""
        return self.ended_at is not None or (self.ends_at is not None and now >= self.ends_at)


class RunStep(models.Model):
    """A puzzle of a run that is over, with the time from when it was shown to the removal that decided it."""

    run = models.ForeignKey(PuzzleRun, models.CASCADE, related_name="steps", db_index=False)
    number = models.PositiveSmallIntegerField()
    puzzle = models.CharField(max_length=PUZZLE_LENGTH)
    is_solved = models.BooleanField()
    found = models.PositiveSmallIntegerField()
    elapsed_ms = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "number"], name="one_step_per_number_of_run")]
        ordering: ClassVar = ["run", "number"]

    def __str__(self) -> str:
        return f"{self.run_id} {self.number}"
