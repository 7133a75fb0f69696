"""Days whose results are sealed."""

from typing import ClassVar

from django.db import models

from games.play.models import Game


class DayRoot(models.Model):
    """The root of the Merkle tree over the verified results of a final day, which is a leaf of the log."""

    day = models.DateField(unique=True)
    count = models.PositiveBigIntegerField(help_text="How many results there are.")
    root = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["day"]

    def __str__(self) -> str:
        return self.day.isoformat()


class MerkleTile(models.Model):
    """A part of a day's tree, from which proofs are made: hashes that are neighbours (`games.tlog.merkle`)."""

    day_root = models.ForeignKey(DayRoot, models.PROTECT, db_index=False, related_name="tiles")
    level = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    hashes = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day_root", "level", "number"], name="one_tile_per_place")
        ]
        ordering: ClassVar = ["day_root", "level", "number"]

    def __str__(self) -> str:
        return f"{self.day_root_id}: {self.level}, {self.number}"


class SealedResult(models.Model):
    """A leaf of a day's tree: the text of a game's result that was hashed."""

    day_root = models.ForeignKey(DayRoot, models.PROTECT, related_name="results")
    index = models.PositiveBigIntegerField()
    game = models.OneToOneField(Game, models.PROTECT, related_name="sealed")
    leaf = models.CharField(max_length=300)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["day_root", "index"], name="one_leaf_per_place")]
        ordering: ClassVar = ["day_root", "index"]

    def __str__(self) -> str:
        return self.leaf
