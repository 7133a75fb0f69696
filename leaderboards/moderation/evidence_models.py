"""The evidence about games and accounts: examinations, findings, the work of the detectors, and shared traces."""

from typing import ClassVar

from django.db import models

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.players.models import Player
from leaderboards.detectors.naming import NAMED_SHARE, WATCHED_SHARE, DayList, Naming
from leaderboards.moderation.models import Case


class WeighedGame(models.Model):
    """The waste of each move of a case's game, by what was seen and in truth; computed by the worker.

    `steps` is a list of `detectors.hindsight.WeighedStep` as plain data; null where it cannot be said, see `error`.
    """

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="weighed")
    at = models.DateTimeField()
    steps = models.JSONField(null=True)
    error = models.CharField(max_length=300, blank=True, default="")

    def __str__(self) -> str:
        return str(self.game_id)


class Examination(models.Model):
    """The evidence of one game, and the account's fortunes after it.

    `evidence` is `detectors.accounts.Evidence` as plain data; it is None while a worker examines the game, and stays
    None if the record is false; `error` then says why.
    """

    game = models.OneToOneField(Game, models.PROTECT, primary_key=True, related_name="examination")
    player = models.ForeignKey(Player, models.PROTECT, related_name="examinations")
    version = models.CharField(max_length=24)
    at = models.DateTimeField()
    cpu_us = models.PositiveBigIntegerField(default=0, help_text="Processor time, in microseconds.")
    evidence = models.JSONField(null=True)
    foresight = models.FloatField(default=1, help_text="The account's fortune of the bet after this game.")
    near_par = models.FloatField(default=1)
    combined = models.FloatField(default=1)
    failed = models.JSONField(default=list, help_text="The detectors that raised.")
    error = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["player", "at"], name="examinations_of_player")]
        ordering: ClassVar = ["at", "game"]

    def __str__(self) -> str:
        return f"{self.game_id} {self.version}"


class ExaminedDeal(models.Model):
    """A mark that all attempts at a deal were examined. None can be added after its day is public."""

    daily = models.OneToOneField(DailyDeal, models.PROTECT, primary_key=True, related_name="examined")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.daily_id} {self.at}"


class AccountEvidence(models.Model):
    """All that the detectors of one version know about an account: `detectors.accounts.Account` as plain data."""

    player = models.ForeignKey(Player, models.PROTECT, related_name="evidence")
    version = models.CharField(max_length=24)
    state = models.JSONField()
    games = models.PositiveIntegerField(default=0)
    foresight = models.FloatField(default=1)
    near_par = models.FloatField(default=1)
    both = models.FloatField(default=0, help_text="The mean of both, where it counts.")
    updated_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "version"], name="one_evidence_per_player_and_version")
        ]
        ordering: ClassVar = ["player", "version"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.version}"


class KeptList(models.Model):
    """The list of a detector at the close of a day: how many of its accounts are named, and how many are watched."""

    day = models.DateField()
    detector = models.CharField(max_length=32)
    version = models.CharField(max_length=24)
    accounts = models.PositiveIntegerField(help_text="All that were judged.")
    named = models.PositiveIntegerField()
    watched = models.PositiveIntegerField(help_text="Those who are named included.")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["detector", "day"], name="one_list_per_detector_and_day")
        ]
        ordering: ClassVar = ["-day", "detector"]

    def __str__(self) -> str:
        return f"{self.day} {self.detector}"

    @property
    def as_judged(self) -> DayList:
        named, watched = (self.named, NAMED_SHARE), (self.watched, WATCHED_SHARE)
        return DayList(self.detector, *(Naming(self.accounts, *one) for one in (named, watched)))


class Listing(models.Model):
    """An account on a list with its value then; `found_at` is when this became a finding."""

    list = models.ForeignKey(KeptList, models.CASCADE, related_name="listings")
    player = models.ForeignKey(Player, models.PROTECT, related_name="listings")
    value = models.FloatField()
    found_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["list", "player"], name="one_listing_per_list")]
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=models.Q(found_at=None), name="listings_without_finding")
        ]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.value:.3g}"


class KeptFinding(models.Model):
    """A finding about an account as it was when `game` was examined. The latest of a detector holds.

    `case` is empty for what only supports or is watched, until there is a case.
    """

    player = models.ForeignKey(Player, models.PROTECT, related_name="findings")
    game = models.ForeignKey(Game, models.PROTECT, related_name="findings")
    case = models.ForeignKey(Case, models.PROTECT, related_name="findings", null=True)
    detector = models.CharField(max_length=32)
    version = models.CharField(max_length=24)
    strength = models.CharField(max_length=8)
    score = models.FloatField()
    threshold = models.FloatField()
    explanation = models.TextField()
    numbers = models.JSONField(default=dict)
    innocent = models.JSONField(default=list)
    games = models.JSONField(default=list, help_text="The games that it rests on, the most telling first.")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "detector"],
                condition=models.Q(detector__in=["haste", "downtime", "verification"]),
                name="what_the_server_found_once",
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["player", "detector", "version"], name="findings_of_player"),
            models.Index(fields=["detector", "at"], name="findings_by_detector"),
        ]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.detector} {self.score:.3g}"


class DetectorRun(models.Model):
    """The work of the detectors of one version on a UTC day: games, processor time, and errors."""

    day = models.DateField()
    detector = models.CharField(max_length=32)
    version = models.CharField(max_length=24)
    games = models.PositiveIntegerField(default=0)
    cpu_us = models.PositiveBigIntegerField(default=0)
    errors = models.PositiveIntegerField(default=0)
    last_error = models.CharField(max_length=500, blank=True, default="")
    last_run_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day", "detector", "version"], name="one_run_per_day_and_detector")
        ]
        ordering: ClassVar = ["-day", "detector"]

    def __str__(self) -> str:
        return f"{self.day} {self.detector}"


class Trace(models.Model):
    """A keyed hash of something that two accounts may share: a network address, an IPv6 site, a browser's mark, a bot's
    owner.

    It cannot be traced back. Rows are deleted once they have not been seen for as long as the setting says. Those of an
    erased account stay while its ranked games and races need them (`leaderboards.moderation.traces`).
    """

    class Kind(models.TextChoices):
        ADDRESS = "address"
        SITE = "site"
        DEVICE = "device"
        OWNER = "owner"

    player = models.ForeignKey(Player, models.CASCADE, related_name="traces")
    kind = models.CharField(max_length=7, choices=Kind.choices)
    mark = models.CharField(max_length=32)
    first_seen = models.DateField()
    last_seen = models.DateField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["player", "kind", "mark"], name="one_trace_per_mark")]
        indexes: ClassVar = [
            models.Index(fields=["kind", "mark"], name="traces_by_mark"),
            models.Index(fields=["last_seen"], name="traces_by_age"),
        ]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.kind}"
