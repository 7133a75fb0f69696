"""Retests and their deals."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.play.models import Game
from games.players.models import ID_LENGTH, Player, new_id
from leaderboards.moderation.models import Case


class Retest(models.Model):
    """An offer to a player to play some deals in one sitting, and what came of it.

    `fresh` deals are new; `alike` ones play exactly like deals that the account has won. A deal is made when its game
    starts, so that nobody can know one before. The sitting begins with the first deal and ends `minutes` later at the
    latest, by the clock on the wall. `foresight` and `near_par` are the values of the fresh deals, once all are scored.
    """

    class End(models.TextChoices):
        DECLINED = "declined", _("Declined")
        EXPIRED = "expired", _("Not taken in time")
        DONE = "done", _("All deals played")
        TIME_UP = "time_up", _("Time was up")

    class State(models.TextChoices):
        OFFERED = "offered", _("Offered")
        ACCEPTED = "accepted", _("Accepted")
        RUNNING = "running", _("Running")
        ENDED = "ended", _("Ended")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    case = models.ForeignKey(Case, models.PROTECT, related_name="retests")
    player = models.ForeignKey(Player, models.PROTECT, related_name="retests")
    offered_by = models.ForeignKey(Player, models.PROTECT, related_name="+")
    offered_at = models.DateTimeField()
    open_until = models.DateTimeField(help_text="When the sitting has to have begun.")
    rules = models.CharField(max_length=40)
    fresh = models.PositiveSmallIntegerField(help_text="How many deals are new.")
    alike = models.PositiveSmallIntegerField(help_text="How many play like deals that the account has won.")
    minutes = models.PositiveSmallIntegerField(help_text="Of the sitting, by the clock on the wall.")
    accepted_at = models.DateTimeField(null=True)
    begun_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    end = models.CharField(max_length=8, choices=End.choices, blank=True, default="")
    scored_at = models.DateTimeField(null=True)
    version = models.CharField(max_length=24, blank=True, default="", help_text="Of the detectors that scored it.")
    foresight = models.FloatField(null=True)
    near_par = models.FloatField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player"], name="one_open_retest_per_player", condition=Q(ended_at=None)),
            models.CheckConstraint(
                name="retest_ends_in_some_way",
                condition=Q(ended_at=None, end="") | Q(ended_at__isnull=False) & ~Q(end=""),
            ),
            models.CheckConstraint(
                name="retest_begins_accepted_and_in_time",
                condition=Q(begun_at=None) | Q(accepted_at__lte=F("begun_at"), begun_at__lt=F("open_until")),
            ),
            models.CheckConstraint(
                name="retest_is_played_once_begun",
                condition=Q(begun_at=None) & ~Q(end__in=("done", "time_up"))
                | Q(begun_at__isnull=False) & ~Q(end__in=("declined", "expired")),
            ),
            models.CheckConstraint(
                name="retest_is_scored_after_its_end",
                condition=Q(scored_at=None, foresight=None, near_par=None)
                | Q(scored_at__gte=F("ended_at"), foresight__isnull=False, near_par__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["ended_at"], name="unscored_retests", condition=Q(end__in=("done", "time_up"), scored_at=None)
            ),
        ]
        ordering: ClassVar = ["-offered_at", "-pk"]

    def __str__(self) -> str:
        return self.id

    @property
    def size(self) -> int:
        return self.fresh + self.alike

    @property
    def ends_at(self) -> datetime | None:
        """The time at which the sitting ends at the latest; None before it has begun."""
        return self.begun_at and self.begun_at + timedelta(minutes=self.minutes)

    def state(self, now: datetime) -> Retest.State:
        """Return the state at a time, also before the worker has noticed that time is up."""
        if self.ended_at is not None or now >= (self.ends_at or self.open_until):
            return self.State.ENDED
        if self.begun_at is not None:
            return self.State.RUNNING
        return self.State.OFFERED if self.accepted_at is None else self.State.ACCEPTED


class RetestDeal(models.Model):
    """A deal of a retest, from the start of its game. Its result stays if the game is deleted with the account.

    `origin` is the won game whose deal it plays like; None for a fresh deal. `bet` is what each stake of the bet became
    on this deal, `par_factors` what each kind of cheat makes of its distance from par; empty if there was no bet.
    """

    retest = models.ForeignKey(Retest, models.PROTECT, related_name="deals", db_index=False)
    number = models.PositiveSmallIntegerField()
    origin = models.ForeignKey(Game, models.PROTECT, related_name="+", null=True)
    game = models.OneToOneField(Game, models.SET_NULL, related_name="retested", null=True)
    scored_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=8, blank=True, default="")
    moves = models.PositiveIntegerField(null=True)
    cards_left = models.PositiveSmallIntegerField(null=True)
    par = models.PositiveSmallIntegerField(null=True)
    bets = models.PositiveSmallIntegerField(default=0, help_text="How many cards were bet on.")
    bet = models.JSONField(default=list)
    par_factors = models.JSONField(default=list)
    error = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["retest", "number"], name="retest_deals_are_numbered"),
            models.CheckConstraint(name="retest_deals_from_one", condition=Q(number__gte=1)),
        ]
        ordering: ClassVar = ["retest", "number"]

    def __str__(self) -> str:
        return f"{self.retest_id} {self.number}"

    @property
    def over_par(self) -> int | None:
        """The moves of a win above the fewest possible; None without a win, or if par is not known."""
        is_known = self.outcome == Game.Status.WON and self.moves is not None and self.par is not None
        return self.moves - self.par if is_known and self.moves is not None and self.par is not None else None
