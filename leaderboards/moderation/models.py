"""Cases with their reports, decision log and appeals, and the evidence about games and accounts."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.players.models import Player


class Outcome(models.TextChoices):
    """The decision of a reviewer."""

    CLEAR = "clear", _("Clear")
    FLAG = "flag", _("keep flagged, wait")
    DISQUALIFY = "disqualify", _("Disqualify")
    REINSTATE = "reinstate", _("Reinstate")
    BAN = "ban", _("Ban")
    UNBAN = "unban", _("Unban")


class Act(models.TextChoices):
    """The action that a line of the decision log records."""

    OPENED = "opened", _("Opened")
    JOINED = "joined", _("Joined")  # by more evidence or a report
    TAKEN = "taken", _("Taken")
    RELEASED = "released", _("Released")
    NOTED = "noted", _("Noted")
    PROPOSED = "proposed", _("Proposed")
    SECONDED = "seconded", _("Seconded")
    DECIDED = "decided", _("Decided")
    APPEALED = "appealed", _("Appealed")


class Case(models.Model):
    """A suspicion about a player's attempts at a deal, until a person has decided and no appeal is possible.

    `urgency` sorts the queue: it is made of the strength of the evidence, the rank and the time of opening, so that
    waiting raises a case without anybody writing its row (`leaderboards.moderation.priority`).
    """

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        TAKEN = "taken", _("Taken")
        DECIDED = "decided", _("Decided")
        APPEALED = "appealed", _("Appealed")
        CLOSED = "closed", _("Closed")

    class Needs(models.TextChoices):
        """The kind of reviewer that a case waits for."""

        REVIEWER = "reviewer", _("Reviewer")
        SECOND = "second", _("a second reviewer")
        SENIOR = "senior", _("a senior reviewer")
        APPEAL = "appeal", _("somebody new, for an appeal")
        NOBODY = "nobody", _("Nobody")

    player = models.ForeignKey(Player, models.PROTECT, related_name="cases")
    daily = models.ForeignKey(DailyDeal, models.PROTECT, related_name="cases")
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    needs = models.CharField(max_length=8, choices=Needs.choices, default=Needs.REVIEWER)
    opened_at = models.DateTimeField()
    strength = models.FloatField(default=0, help_text="Of the evidence, from 0.")
    rank = models.PositiveIntegerField(null=True, help_text="The best rank on the boards of the day; empty: none.")
    urgency = models.FloatField(default=0)
    reviewer = models.ForeignKey(Player, models.PROTECT, related_name="cases_taken", null=True)
    touched_at = models.DateTimeField(null=True, help_text="When the reviewer did something last.")
    proposal = models.ForeignKey(
        "LogLine", models.PROTECT, related_name="+", null=True, help_text="What a second reviewer has to look at."
    )
    decision = models.ForeignKey(
        "LogLine", models.PROTECT, related_name="+", null=True, help_text="What was decided last."
    )
    appeal_until = models.DateTimeField(null=True)

    class Meta:
        permissions: ClassVar = [
            ("review_case", "Can take, note and decide cases, and propose what needs two"),
            ("ban_player", "Can propose and confirm bans"),
            ("decide_final_day", "Can confirm decisions about final days"),
            ("hear_appeal", "Can hear appeals and settle disagreements"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "daily"], name="one_case_per_player_and_deal"),
            models.CheckConstraint(
                name="taken_by_somebody",
                condition=Q(state="taken", reviewer__isnull=False, touched_at__isnull=False)
                | ~Q(state="taken") & Q(reviewer__isnull=True),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["state", "-urgency"], name="cases_by_urgency"),
            models.Index(fields=["-urgency"], name="all_cases_by_urgency"),
        ]
        ordering: ClassVar = ["-urgency", "id"]

    def __str__(self) -> str:
        return f"case {self.pk}"


class LogLine(models.Model):
    """A line of the decision log, which is only ever added to. `link` chains it to the line before.

    `words` are for the player, `text` for colleagues; of an appeal only a salted hash stands here, since its text can
    be deleted. `facts` hold whole numbers, texts and lists of them, so that they read the same from every database.
    """

    number = models.PositiveBigIntegerField(unique=True)
    at = models.DateTimeField()
    case = models.ForeignKey(Case, models.PROTECT, related_name="log")
    act = models.CharField(max_length=8, choices=Act.choices)
    by = models.ForeignKey(Player, models.PROTECT, related_name="+", null=True, help_text="Empty: the server itself.")
    outcome = models.CharField(max_length=10, choices=Outcome.choices, blank=True, default="")
    reason = models.CharField(max_length=16, blank=True, default="", help_text="The code of a reason.")
    text = models.CharField(max_length=2000, blank=True, default="", help_text="For colleagues.")
    text_hash = models.CharField(max_length=64, blank=True, default="")
    games = models.JSONField(default=list, help_text="The games that it is about.")
    about = models.ForeignKey(
        "self", models.PROTECT, related_name="+", null=True, help_text="The line that it answers or takes back."
    )
    confirms = models.ForeignKey(
        Player, models.PROTECT, related_name="+", null=True, help_text="The other of two reviewers."
    )
    facts = models.JSONField(default=dict)
    link = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar = ["number"]
        indexes: ClassVar = [models.Index(fields=["act", "at"], name="log_by_act")]

    def __str__(self) -> str:
        return f"{self.number} {self.act} {self.outcome}".strip()


class LogHead(models.Model):
    """The end of the decision log. Adding a line locks this row, so that lines are added one after another."""

    number = models.PositiveBigIntegerField(default=0)
    link = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(name="one_head", condition=Q(pk=1))]

    def __str__(self) -> str:
        return f"{self.number} {self.link}"


class LogCheck(models.Model):
    """A check of the whole decision log, and the mistakes in it."""

    at = models.DateTimeField()
    lines = models.PositiveBigIntegerField()
    mistake = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.at} {self.mistake}".strip()


class Report(models.Model):
    """A player's report of a suspicious score, at most one for each case."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="reports")
    game = models.ForeignKey(Game, models.PROTECT, related_name="reports")
    reporter = models.ForeignKey(Player, models.CASCADE, related_name="reports")
    at = models.DateTimeField()
    text = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["case", "reporter"], name="reported_once")]
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.reporter_id} about {self.game_id}"


class Appeal(models.Model):
    """A player's appeal against a decision, at most one for each."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="appeals")
    decision = models.OneToOneField(LogLine, models.PROTECT, related_name="appeal")
    line = models.OneToOneField(LogLine, models.PROTECT, related_name="appeal_made")
    at = models.DateTimeField()
    text = models.CharField(max_length=2000)
    salt = models.CharField(max_length=32)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"against {self.decision_id}"


class WeighedGame(models.Model):
    """The waste of each move of a case's game, by what was seen and in truth; computed by the worker.

    `steps` is a list of `detectors.hindsight.WeighedStep` as plain data; null where it cannot be said, see `error`.
    """

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="weighed")
    at = models.DateTimeField()
    steps = models.JSONField(null=True)
    error = models.CharField(max_length=300, blank=True, default="")

    def __str__(self) -> str:
        return self.game_id


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
    highest = models.FloatField(default=1, help_text="The highest mean of both fortunes.")
    level = models.CharField(max_length=5, default="none")
    updated_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "version"], name="one_evidence_per_player_and_version")
        ]
        ordering: ClassVar = ["player", "version"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.version}"


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
    """A keyed hash of something that two accounts may share: a network address or a browser's mark.

    It cannot be traced back. Rows are deleted once they have not been seen for as long as the setting says.
    """

    class Kind(models.TextChoices):
        ADDRESS = "address"
        DEVICE = "device"

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


class MovedRanks(models.Model):
    """A decision that moved ranks. The worker notifies the players and deletes the row."""

    line = models.OneToOneField(LogLine, models.PROTECT, primary_key=True, related_name="moved_ranks")

    def __str__(self) -> str:
        return f"line {self.line_id}"
