"""Deals, the calendar of daily deals with its programmes, and the divisions of players."""

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Max, Q

from games.deals.daily import DailyKey
from games.deals.policy import RANKED, Policy
from games.deals.programme import Programme, ProgrammeError
from games.players.models import ID_LENGTH, Player, new_id
from games.rules import RULE_SETS, RuleSet
from games.tlog.leaves import Leaf, commitment


class DayDivision(models.Model):
    """The division in which a player plays on a UTC day, fixed by the first ranked attempt of the day."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="day_divisions")
    day = models.DateField()
    division = models.CharField(max_length=16)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "day"], name="one_division_per_player_and_day")
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.day} {self.division}"


class SecretAccess(models.Model):
    """A look of a staff member at the secrets of a deal. This player can no longer start it."""

    player = models.ForeignKey(Player, models.PROTECT, related_name="secrets_seen")
    daily = models.ForeignKey("games.DailyDeal", models.PROTECT, related_name="seen_by")
    at = models.DateTimeField()
    reason = models.CharField(max_length=500)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.player_id} {self.daily_id} {self.at}"


class Deal(models.Model):
    """A stored deck with its rules and its certificate. It is secret as long as anyone may play it for a score."""

    class KeptFor(models.TextChoices):
        PRACTICE = "practice"
        RACE = "race"
        RETEST = "retest"

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    rules = models.CharField(max_length=40)
    deck = models.CharField(max_length=208)
    created_at = models.DateTimeField()
    is_winnable = models.BooleanField(null=True, help_text="Proved either way; empty where it is not known.")
    par = models.PositiveSmallIntegerField(null=True, help_text="The fewest moves that win.")
    greedy_moves = models.PositiveSmallIntegerField(null=True, help_text="How many a greedy player needs to win.")
    careless_wins = models.PositiveSmallIntegerField(null=True, help_text="Wins of the careless player, of 24.")
    careful_wins = models.PositiveSmallIntegerField(null=True, help_text="Wins of the careful player, of 24.")
    grade = models.CharField(max_length=6, null=True, help_text="How hard it is; empty while not measured.")  # noqa: DJ001

    kept_for = models.CharField(
        max_length=8,
        choices=KeptFor.choices,
        blank=True,
        help_text="What a deal in stock is kept for, if nobody has it; that of a retest is kept for it.",
    )

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["rules", "grade"], name="graded_deals", condition=Q(is_winnable=True)),
            models.Index(fields=["kept_for", "rules"], name="deals_in_stock", condition=~Q(kept_for="")),
        ]

    def __str__(self) -> str:
        return f"{self.rules} {self.id}"

    @property
    def rule_set(self) -> RuleSet:
        return RULE_SETS[self.rules]

    @property
    def is_of_retest(self) -> bool:
        """True if one player alone plays it, under supervision, and nobody else ever."""
        return self.kept_for == self.KeptFor.RETEST


class DailyDeal(models.Model):
    """The deal of a UTC day, a rule set and a division. Seed and deal are secret until `key.finish_by`.

    A deal that waits for a round of a beacon does not exist before; it is set once (`games.calendar.dealing`). The
    database rejects all other updates, and deletions.
    """

    day = models.DateField()
    rules = models.CharField(max_length=40)
    division = models.CharField(max_length=16)
    seed = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64, unique=True)
    committed_at = models.DateTimeField(help_text="To the second, never before the one made before.")
    grade = models.CharField(max_length=6, null=True, help_text="What the deal was chosen to be; empty: anything.")  # noqa: DJ001  null means ungraded
    beacon = models.CharField(max_length=20, blank=True, help_text="The beacon that the deal depends on, if any.")
    round = models.PositiveBigIntegerField(default=0, help_text="The round of the beacon; 0 without one.")
    candidate: "models.PositiveIntegerField[int, int]" = models.PositiveIntegerField(  # type: ignore[misc]
        null=True, help_text="Which of the decks that the seed leads to, from 0."
    )
    # Typed as if it were always there: those that meet a deal which still waits ask `is_dealt`.
    deal: "models.OneToOneField[Deal, Deal]" = models.OneToOneField(  # type: ignore[misc]
        Deal, models.PROTECT, related_name="daily", null=True
    )
    stored_policy = models.JSONField(
        null=True,
        db_column="policy",
        help_text="What its attempts allow; empty: what ranked attempts do by default.",
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day", "rules", "division"], name="one_deal_per_day_rules_division"),
            models.CheckConstraint(
                name="only_a_beacon_is_waited_for",
                condition=Q(deal__isnull=False, candidate__isnull=False)
                | (Q(deal__isnull=True, candidate__isnull=True) & ~Q(beacon="")),
            ),
            models.CheckConstraint(
                name="a_beacon_has_a_round", condition=Q(beacon="", round=0) | (~Q(beacon="") & Q(round__gt=0))
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["day"], name="dailies_not_dealt", condition=Q(deal=None))]
        ordering: ClassVar = ["-day", "rules", "division"]

    def __str__(self) -> str:
        return str(self.key)

    @property
    def key(self) -> DailyKey:
        return DailyKey(self.day, self.rules, self.division)

    @property
    def is_dealt(self) -> bool:
        """True unless the deal waits for a round of a beacon."""
        return self.deal_id is not None

    @property
    def leaf(self) -> Leaf:
        """The commitment as the log has it."""
        awaited = (self.beacon, self.round) if self.beacon else None
        return commitment(str(self.key), self.grade, self.committed_at, self.commitment, awaited)

    @property
    def policy(self) -> Policy:
        """The policy of attempts at this deal."""
        return RANKED if self.stored_policy is None else Policy.from_data(self.stored_policy)


class SetProgramme(models.Model):
    """A programme in force from a day until the next one begins. It can begin only after the last day committed to."""

    valid_from = models.DateField(unique=True, help_text="The first day; later than all days committed to.")
    slots = models.JSONField(help_text="A list of slots as docs/daily-deals.md describes them.")
    made_at = models.DateTimeField(auto_now_add=True)
    made_by = models.ForeignKey(Player, models.PROTECT, related_name="+", null=True, editable=False)

    class Meta:
        verbose_name = "programme"
        ordering: ClassVar = ["-valid_from"]

    def __str__(self) -> str:
        return f"from {self.valid_from}"

    def clean(self) -> None:
        """Raise `ValidationError` if the programme is invalid or begins too early."""
        mistakes: dict[str, Any] = {}
        try:
            Programme.from_data({"slots": self.slots})
        except ProgrammeError as error:
            mistakes["slots"] = ValidationError(str(error), code=error.code)
        last = DailyDeal.objects.aggregate(last=Max("day"))["last"]
        if last is not None and self.valid_from is not None and self.valid_from <= last:  # type: ignore[redundant-expr]
            mistakes["valid_from"] = ValidationError(f"days up to {last} are committed to", code="committed_to")
        if mistakes:
            raise ValidationError(mistakes)
