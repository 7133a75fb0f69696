"""Clubs, who is in them since when, and what happened there."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.players.lookalikes import LONGEST_NAME, LONGEST_SKELETON
from games.players.models import ID_LENGTH, Player, new_id
from games.races.invites import CODE_LENGTH, new_code
from leaderboards.reporting.models import NameDecision, NameReport

LONGEST_DESCRIPTION = 200


class Club(models.Model):
    """A club. It is led by its owner, or if that account is gone by its first officer, or else its first member."""

    class Admission(models.TextChoices):
        OPEN = "open", _("everyone who has its letters")
        REQUEST = "request", _("those whose request is granted")
        INVITATION = "invitation", _("those who are invited")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    name = models.CharField(max_length=LONGEST_NAME)
    name_key = models.CharField(max_length=LONGEST_SKELETON, unique=True, help_text="Shared by names that look alike.")
    description = models.CharField(max_length=LONGEST_DESCRIPTION, blank=True)
    emblem = models.CharField(max_length=10, help_text="The suits in the middle and above, and the colour.")
    admission = models.CharField(max_length=10, choices=Admission)
    code = models.CharField(max_length=CODE_LENGTH, default=new_code, unique=True)
    founded_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Role(models.IntegerChoices):
    """The role of a member; a lower number may do more."""

    OWNER = 1, _("Owner")
    OFFICER = 2, _("Officer")
    MEMBER = 3, _("Member")


class Membership(models.Model):
    """The time in which a player is in a club; a day counts for the clubs one was in when it opened."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="club_memberships")
    role = models.PositiveSmallIntegerField(choices=Role, default=Role.MEMBER)
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "player"], condition=Q(left_at=None), name="in_a_club_once"),
            models.CheckConstraint(
                condition=Q(left_at=None) | Q(left_at__gte=F("joined_at")), name="clubs_are_left_after_joining"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["club", "joined_at"], name="members_by_time")]
        ordering: ClassVar = ["role", "joined_at", "pk"]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.club_id}"


class Outsider(models.Model):
    """A player who is not in a club, and has asked to be, is invited, or is banned."""

    class State(models.TextChoices):
        ASKED = "asked", _("asked to join")
        INVITED = "invited", _("invited")
        BANNED = "banned", _("banned")

    club = models.ForeignKey(Club, models.CASCADE, related_name="outsiders", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="outside_clubs")
    state = models.CharField(max_length=7, choices=State)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "player"], name="one_state_outside_a_club")]
        ordering: ClassVar = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.state} {self.club_id}"


class ClubAct(models.Model):
    """A line of a club's log: what somebody did there, and to whom."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="acts")
    act = models.CharField(max_length=16)
    by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="acts_in_clubs")
    about = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="acts_of_clubs")
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-pk"]

    def __str__(self) -> str:
        return f"{self.club_id} {self.act}"


class MutedPlayer(models.Model):
    """A player whose notices another player does not see, in any club."""

    by = models.ForeignKey(Player, models.CASCADE, related_name="muted_players", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="muted_by")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["by", "player"], name="players_muted_once"),
            models.CheckConstraint(name="nobody_mutes_themselves", condition=~Q(by=F("player"))),
        ]
        ordering: ClassVar = ["by", "pk"]

    def __str__(self) -> str:
        return f"{self.by_id} mutes {self.player_id}"


class Removal(models.TextChoices):
    """The part of a club that a reviewer removes."""

    NOTHING = "nothing", _("Nothing: keep the club as it is")
    NAME = "name", _("Remove the name")
    DESCRIPTION = "description", _("Remove the description")
    CLOSE = "close", _("Close the club, with its name and description")


class ClubDecision(NameDecision):
    """A decision of a reviewer about a club, and what stood there."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="decisions")
    removed = models.CharField(max_length=11, choices=Removal)
    description = models.CharField(max_length=LONGEST_DESCRIPTION, blank=True)

    def __str__(self) -> str:
        return f"{self.club_id} {self.removed}"


class ClubReport(NameReport):
    """A player's report of the name or description of a club, open until a reviewer has decided about the club."""

    class About(models.TextChoices):
        NAME = "name", _("Name")
        DESCRIPTION = "description", _("Description")

    club = models.ForeignKey(Club, models.CASCADE, related_name="reports")
    about = models.CharField(max_length=11, choices=About)
    decision = models.ForeignKey(ClubDecision, models.PROTECT, related_name="reports", null=True)

    class Meta(NameReport.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["club", "reporter"], condition=Q(decision=None), name="one_open_report_of_a_club"
            )
        ]

    def __str__(self) -> str:
        return f"{self.reporter_id} about {self.club_id}"


class Duel(models.Model):
    """A week in which two clubs compare the sums of their best members, if both want to."""

    class State(models.TextChoices):
        OFFERED = "offered", _("proposed")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    board = models.CharField(max_length=80, help_text="The table of the week that decides.")
    week = models.DateField(help_text="Its Monday.")
    challenger = models.ForeignKey(Club, models.PROTECT, related_name="duels_proposed", db_index=False)
    opponent = models.ForeignKey(Club, models.PROTECT, related_name="duels_received")
    state = models.CharField(max_length=9, choices=State, default=State.OFFERED)
    proposed_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["challenger", "opponent", "board"],
                condition=Q(state__in=["offered", "accepted"]),
                name="one_duel_of_two_clubs_on_a_board",
            ),
            models.CheckConstraint(condition=~Q(challenger=F("opponent")), name="no_club_duels_itself"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["challenger", "week"], name="duels_by_challenger"),
            models.Index(fields=["week"], condition=Q(state="accepted"), name="duels_to_close"),
        ]
        ordering: ClassVar = ["-week", "pk"]

    def __str__(self) -> str:
        return f"{self.challenger_id} and {self.opponent_id} on {self.board}"

    @property
    def clubs(self) -> tuple[Club, Club]:
        return self.challenger, self.opponent


class DuelResult(models.Model):
    """The sums of both clubs when the week was final; without one, nobody of the club was on the table.

    The row never changes. A sum is packed as the keys of the board are, and the smaller one wins.
    """

    duel = models.OneToOneField(Duel, models.PROTECT, primary_key=True, related_name="result")
    version = models.PositiveBigIntegerField(help_text="The version of the board that counts.")
    challenger_sum = models.BigIntegerField(null=True)
    opponent_sum = models.BigIntegerField(null=True)
    closed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"the result of {self.duel_id}"
