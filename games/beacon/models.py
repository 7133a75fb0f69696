"""The rounds on which deals depended, and the days that had to do without."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from games.deals.beacons import FALLBACK, mixed, randomness_of
from games.tlog.leaves import Leaf
from games.tlog.leaves import beacon as leaf_of_beacon


class BeaconOutcome(models.Model):
    """The round of a beacon for the deals of a day and a rule set, decided once for all of its divisions."""

    day = models.DateField()
    rules = models.CharField(max_length=40)
    beacon = models.CharField(max_length=20)
    round = models.PositiveBigIntegerField()
    signature = models.CharField(max_length=96, blank=True, help_text="Of the round; empty: it came too late.")
    decided_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day", "rules"], name="one_beacon_outcome_per_day_and_rules"),
            models.CheckConstraint(name="an_outcome_has_a_round", condition=~Q(beacon="") & Q(round__gt=0)),
        ]
        ordering: ClassVar = ["day", "rules"]

    def __str__(self) -> str:
        return self.leaf.text

    @property
    def randomness(self) -> str | None:
        """The randomness of the round, None if it came too late."""
        return randomness_of(self.signature) if self.signature else None

    @property
    def leaf(self) -> Leaf:
        """The outcome as the log has it."""
        return leaf_of_beacon(self.day, self.rules, self.beacon, self.round, self.randomness or FALLBACK)

    def seed_from(self, committed: bytes) -> bytes:
        """Return the seed of a day's deal: without the round it is the one that was committed to."""
        return mixed(committed, self.randomness) if self.randomness else committed
