"""Races: several players on one deal at the same moment; and the ratings that they lead to."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from games.calendar.models import Deal
from games.play.models import Game
from games.players.models import ID_LENGTH, Player, new_id


class Race(models.Model):
    """A room, and the race that is run in it. The deal is secret until `ended_at`.

    A public race is listed; another one is entered by its invite, or by the members of its circle. `hour` is set for
    the public races that the server itself holds. `begun_at` is when the games were made, `starts_at` when their clocks
    begin. A race that has begun keeps its racers, and nothing of one that has ended changes. The racers of a `set` race
    are those with whom it was made; to a `rolling` one each comes at a moment of their own until its end, and the time
    of each counts from there.
    """

    class TieBreak(models.TextChoices):
        TIME = "time"
        MOVES = "moves"

    class End(models.TextChoices):
        ALL_FINISHED = "all_finished"
        TIME_UP = "time_up"
        CANCELLED = "cancelled"

    class Entry(models.TextChoices):
        OPEN = "open"
        SET = "set"
        ROLLING = "rolling"

    class State(models.TextChoices):
        OPEN = "open"
        COUNTDOWN = "countdown"
        RUNNING = "running"
        ENDED = "ended"

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    host = models.ForeignKey(Player, models.SET_NULL, related_name="hosted_races", null=True)
    deal = models.OneToOneField(Deal, models.PROTECT, related_name="race")
    tie_break = models.CharField(max_length=5, choices=TieBreak.choices, help_text="What counts after the cards left.")
    limit_s = models.PositiveSmallIntegerField(help_text="Seconds from the start to the end.")
    countdown_s = models.PositiveSmallIntegerField(help_text="Seconds from the host's word to the start.")
    is_public = models.BooleanField()
    admits_bots = models.BooleanField()
    entry = models.CharField(max_length=7, choices=Entry.choices, default=Entry.OPEN, help_text="Who gets in.")
    circle = models.CharField(
        max_length=ID_LENGTH, blank=True, default="", help_text="Whose members alone see it; empty if it is for others."
    )
    hour = models.DateTimeField(unique=True, null=True, help_text="Of the server's own races.")
    rematch_of = models.OneToOneField("self", models.PROTECT, related_name="rematch", null=True)
    created_at = models.DateTimeField()
    starts_at = models.DateTimeField(null=True)
    begun_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    end = models.CharField(max_length=12, choices=End.choices, blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="race_begins_from_its_start", condition=Q(begun_at=None) | Q(starts_at__lte=F("begun_at"))
            ),
            models.CheckConstraint(
                name="race_ends_in_some_way",
                condition=Q(ended_at=None, end="") | Q(ended_at__isnull=False) & ~Q(end=""),
            ),
            models.CheckConstraint(name="race_of_circle_is_not_public", condition=Q(circle="") | Q(is_public=False)),
            models.CheckConstraint(
                name="race_that_began_is_not_cancelled", condition=~Q(end="cancelled") | Q(begun_at=None)
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["circle"], name="races_of_circles", condition=~Q(circle="") & Q(ended_at=None)),
            models.Index(fields=["created_at"], name="races_not_over", condition=Q(ended_at=None)),
            models.Index(fields=["-ended_at"], name="races_by_end", condition=Q(begun_at__isnull=False)),
        ]
        ordering: ClassVar = ["-created_at"]

    def __str__(self) -> str:
        return self.id

    @property
    def is_over(self) -> bool:
        return self.ended_at is not None

    @property
    def ends_at(self) -> datetime | None:
        """The time at which it ends at the latest; None while the start is not known."""
        return self.starts_at and self.starts_at + timedelta(seconds=self.limit_s)

    @property
    def counts_from(self) -> datetime | None:
        """The time at which the countdown begins; None while the start is not known."""
        return self.starts_at and self.starts_at - timedelta(seconds=self.countdown_s)

    def state(self, now: datetime) -> Race.State:
        """Return the state at a time. From its start on a race is running, even if the games are yet to be made."""
        if self.is_over:
            return self.State.ENDED
        if self.starts_at is None or self.counts_from is None or now < self.counts_from:
            return self.State.OPEN
        return self.State.COUNTDOWN if now < self.starts_at else self.State.RUNNING


RESULT_FIELDS = ("outcome", "cards_left", "moves", "elapsed_ms")


class Racer(models.Model):
    """A player in a race. The result is written once, when the race ends; its game may be deleted with an account.

    `is_rated`, `is_rival` and `person` are part of it (`games.races.people`).
    """

    race = models.ForeignKey(Race, models.CASCADE, related_name="racers", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="races")
    joined_at = models.DateTimeField()
    game = models.OneToOneField(Game, models.SET_NULL, related_name="racer", null=True)
    place = models.PositiveSmallIntegerField(null=True)
    outcome = models.CharField(max_length=8, blank=True, default="")
    cards_left = models.PositiveSmallIntegerField(null=True)
    moves = models.PositiveIntegerField(null=True)
    elapsed_ms = models.PositiveBigIntegerField(null=True)
    is_rated = models.BooleanField(
        default=False, help_text="It was a claimed account when the race ended, among enough of them."
    )
    is_rival = models.BooleanField(default=False, help_text="The others are compared with it.")
    person = models.PositiveBigIntegerField(
        null=True, db_index=True, help_text="The same for accounts that may belong to one person."
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["race", "player"], name="one_racer_per_race_and_player"),
            models.CheckConstraint(
                name="racer_has_place_with_result",
                condition=Q(place=None, outcome="", cards_left=None, moves=None, elapsed_ms=None)
                | Q(place__gte=1, cards_left__isnull=False, moves__isnull=False, elapsed_ms__isnull=False)
                & ~Q(outcome=""),
            ),
        ]
        ordering: ClassVar = ["joined_at", "pk"]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.race_id}"


FAMILY_LENGTH = 12


class RatingChange(models.Model):
    """The rating of a racer after a race, and its mean before.

    `races` is the number of rated races until then, this one included. Everything here follows from the results of
    races and can be computed again.
    """

    racer = models.OneToOneField(Racer, models.CASCADE, primary_key=True, related_name="rating_change")
    player = models.ForeignKey(Player, models.PROTECT, related_name="rating_changes", db_index=False)
    family = models.CharField(max_length=FAMILY_LENGTH)
    ended_at = models.DateTimeField(help_text="When the race ended.")
    races = models.PositiveIntegerField()
    mean_before = models.FloatField()
    mean = models.FloatField()
    deviation = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "family", "races"], name="one_rating_change_per_number"),
        ]
        indexes: ClassVar = [models.Index(fields=["family", "ended_at"], name="rating_changes_by_end")]
        ordering: ClassVar = ["player", "family", "races"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.family} {self.races}: {self.mean}"


class Rating(models.Model):
    """The rating that a player has in a family of rule sets: that of the last change."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="ratings", db_index=False)
    family = models.CharField(max_length=FAMILY_LENGTH)
    races = models.PositiveIntegerField()
    mean = models.FloatField()
    deviation = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "family"], name="one_rating_per_player_and_family"),
        ]
        indexes: ClassVar = [models.Index(fields=["family", "-mean"], name="ratings_by_mean")]
        ordering: ClassVar = ["player", "family"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.family}: {self.mean}"


class UnratedRace(models.Model):
    """A public race that has ended and is still to be rated, for the first time or again."""

    race = models.OneToOneField(Race, models.CASCADE, primary_key=True, related_name="unrated")

    def __str__(self) -> str:
        return self.race_id


class RatingsLock(models.Model):
    """The one row that is locked while ratings are computed, so that races are rated one after the other."""

    def __str__(self) -> str:
        return "ratings"
