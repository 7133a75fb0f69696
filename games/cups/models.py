"""Cups, their entrants, and the matches of their divisions."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.players.lookalikes import LONGEST_NAME
from games.players.models import ID_LENGTH, Player, new_id
from games.races.invites import CODE_LENGTH
from games.races.models import Race
from games.rules import RULE_SETS, RuleSet


class Cup(models.Model):
    """A cup: each step of it is a row, or a time that is set once, before anyone hears of it.

    `announced_for` is when it was to open, `opens_at` when it does. The qualification is a race that entrants join at
    moments of their own; its deal does not exist before. From `seeded_at` on the entrants and their seeds are fixed.

    A tournament by hand is a cup with a name, a host and letters: who has them signs up until it opens, and there is no
    qualification.
    """

    class State(models.TextChoices):
        ANNOUNCED = "announced", _("announced")
        QUALIFYING = "qualifying", _("qualification")
        PLAYING = "playing", _("matches")
        ENDED = "ended", _("over")

    class End(models.TextChoices):
        COMPLETED = "completed", _("completed")
        TOO_FEW = "too_few", _("cancelled: too few entered")
        SERVER_DOWN = "server_down", _("cancelled: the server was down")
        CALLED_OFF = "called_off", _("cancelled by its organiser")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    rules = models.CharField(max_length=40)
    for_bots = models.BooleanField()
    name = models.CharField(max_length=LONGEST_NAME, blank=True, default="", help_text="Of a tournament by hand.")
    host = models.ForeignKey(Player, models.SET_NULL, related_name="hosted_cups", null=True)
    code = models.CharField(
        max_length=CODE_LENGTH, blank=True, default="", help_text="The letters to sign up for a tournament by hand."
    )
    circle = models.CharField(
        max_length=ID_LENGTH, blank=True, default="", help_text="Whose members alone see it; empty if it is for others."
    )
    announced_for = models.DateTimeField()
    opens_at = models.DateTimeField(help_text="When the qualification begins.")
    qualify_s = models.PositiveSmallIntegerField(help_text="Seconds for which the qualification is open.")
    limit_s = models.PositiveSmallIntegerField(help_text="Seconds for each match.")
    rounds = models.PositiveSmallIntegerField(default=0, help_text="Of Swiss by points; 0 in knockout.")
    qualification = models.OneToOneField(Race, models.PROTECT, related_name="qualification_of", null=True)
    seeded_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    end = models.CharField(max_length=11, choices=End.choices, blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["announced_for", "rules", "for_bots"], name="one_cup_per_time_and_rules", condition=Q(code="")
            ),
            models.UniqueConstraint(fields=["code"], name="one_cup_per_letters", condition=~Q(code="")),
            models.CheckConstraint(
                name="cup_is_never_early", condition=Q(opens_at__gte=F("announced_for")) | ~Q(code="")
            ),
            models.CheckConstraint(
                name="cup_by_hand_has_a_name", condition=Q(code="", name="", circle="") | ~Q(code="") & ~Q(name="")
            ),
            models.CheckConstraint(
                name="cup_ends_in_some_way", condition=Q(ended_at=None, end="") | Q(ended_at__isnull=False) & ~Q(end="")
            ),
            models.CheckConstraint(
                name="cup_is_seeded_after_its_qualification",
                condition=Q(seeded_at=None) | Q(qualification__isnull=False) | ~Q(code=""),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["opens_at"], name="cups_not_over", condition=Q(ended_at=None)),
            models.Index(fields=["circle"], name="cups_of_circles", condition=~Q(circle="")),
        ]
        ordering: ClassVar = ["-opens_at", "rules", "for_bots"]

    def __str__(self) -> str:
        return self.name or f"{self.rules} {self.opens_at:%Y-%m-%d %H:%M}"

    @property
    def is_by_hand(self) -> bool:
        return self.code != ""

    @property
    def is_swiss(self) -> bool:
        return self.rounds > 0

    @property
    def rule_set(self) -> RuleSet:
        return RULE_SETS[self.rules]

    @property
    def qualifies_until(self) -> datetime:
        """The end of the qualification; all attempts end then."""
        begins = (self.qualification and self.qualification.starts_at) or self.opens_at
        return begins + timedelta(seconds=self.qualify_s)

    @property
    def is_moved(self) -> bool:
        return self.opens_at > self.announced_for

    @property
    def state(self) -> Cup.State:
        if self.ended_at is not None:
            return self.State.ENDED
        if self.seeded_at is not None:
            return self.State.PLAYING
        return self.State.ANNOUNCED if self.qualification_id is None else self.State.QUALIFYING


class CupSignup(models.Model):
    """A player who signed up for a tournament by hand; one whom the organiser removed stays out."""

    cup = models.ForeignKey(Cup, models.CASCADE, related_name="signups", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="cup_signups")
    at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["cup", "player"], name="one_signup_per_player_of_cup"),
        ]
        ordering: ClassVar = ["cup", "pk"]

    def __str__(self) -> str:
        return f"{self.player_id} for {self.cup_id}"


class CupEntry(models.Model):
    """A player who qualified or signed up, and the place in the division once that is decided."""

    cup = models.ForeignKey(Cup, models.CASCADE, related_name="entries", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="cup_entries")
    seed = models.PositiveIntegerField()
    division = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["cup", "seed"], name="one_entry_per_seed"),
            models.UniqueConstraint(fields=["cup", "player"], name="one_entry_per_player_of_cup"),
        ]
        ordering: ClassVar = ["cup", "seed"]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.cup_id}"


class CupMatch(models.Model):
    """A match of a round, counted from 0. It has no race until it starts, and none ever if nobody has to play."""

    cup = models.ForeignKey(Cup, models.CASCADE, related_name="matches", db_index=False)
    division = models.PositiveSmallIntegerField()
    round = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    race = models.OneToOneField(Race, models.PROTECT, related_name="cup_match", null=True)
    told_at = models.DateTimeField(null=True, help_text="When the sockets of its players were sent word of the race.")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["cup", "division", "round", "number"], name="one_cup_match_per_number"),
        ]
        ordering: ClassVar = ["cup", "division", "round", "number"]

    def __str__(self) -> str:
        return f"{self.cup_id} {self.division}.{self.round}.{self.number}"


class CupSeat(models.Model):
    """An entrant in a match. The place is empty until the match is decided, and then if the entrant forfeited."""

    match = models.ForeignKey(CupMatch, models.CASCADE, related_name="seats", db_index=False)
    entry = models.ForeignKey(CupEntry, models.CASCADE, related_name="seats")
    place = models.PositiveSmallIntegerField(null=True)
    goes_on = models.BooleanField(null=True, help_text="Empty until the match is decided.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "entry"], name="one_cup_seat_per_entry"),
        ]
        ordering: ClassVar = ["match", "entry__seed"]

    def __str__(self) -> str:
        return f"{self.entry_id} in {self.match_id}"
