"""Cases with their reports, decision log and appeals."""

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
    RETEST = "retest", _("Retest")


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


UNDECIDED = (Case.State.OPEN, Case.State.TAKEN, Case.State.APPEALED)


class LogLine(models.Model):
    """A line of the decision log, which is only ever added to. Its salted hash is a leaf of the public log.

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
    salt = models.CharField(max_length=32)

    class Meta:
        ordering: ClassVar = ["number"]
        indexes: ClassVar = [models.Index(fields=["act", "at"], name="log_by_act")]

    def __str__(self) -> str:
        return f"{self.number} {self.act} {self.outcome}".strip()


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


class MovedRanks(models.Model):
    """A decision that moved ranks. The worker notifies the players and deletes the row."""

    line = models.OneToOneField(LogLine, models.PROTECT, primary_key=True, related_name="moved_ranks")

    def __str__(self) -> str:
        return f"line {self.line_id}"
