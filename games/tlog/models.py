"""The leaves and tiles of the log, its signed heads, and the witnesses that have seen them."""

from typing import ClassVar

from django.db import models
from django.db.models import Q


class LogLeaf(models.Model):
    """A leaf of the log, which is only ever added to."""

    index = models.PositiveBigIntegerField(primary_key=True)
    subject = models.CharField(max_length=300, unique=True, help_text="There is one leaf about each subject.")
    text = models.CharField(max_length=300)
    added_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["index"]

    def __str__(self) -> str:
        return self.text


class LogTile(models.Model):
    """Up to 256 neighbouring hashes of a level (`games.tlog.merkle`). It grows until it is full."""

    level = models.PositiveSmallIntegerField()
    number = models.PositiveBigIntegerField()
    hashes = models.BinaryField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["level", "number"], name="one_log_tile_per_place")]
        ordering: ClassVar = ["level", "number"]

    def __str__(self) -> str:
        return f"{self.level}, {self.number}"


class LogSize(models.Model):
    """The number of leaves. Adding some locks this row, so that they are added one after another."""

    size = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(name="one_log", condition=Q(pk=1))]

    def __str__(self) -> str:
        return str(self.size)


class Checkpoint(models.Model):
    """A signed head of the log."""

    origin = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField()
    keys = models.TextField(help_text="The public keys that signed it, one a line.")
    note = models.TextField(help_text="With their signatures.")
    made_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.origin} {self.size}"


class Cosignature(models.Model):
    """The signature of a witness below a checkpoint."""

    checkpoint = models.ForeignKey(Checkpoint, models.PROTECT, related_name="cosignatures")
    witness = models.CharField(max_length=100)
    line = models.TextField()
    signed_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.witness} {self.checkpoint_id}"


class WitnessState(models.Model):
    """The last exchange with a witness: what it has seen, and what is wrong."""

    name = models.CharField(max_length=100, primary_key=True)
    origin = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField(default=0, help_text="The largest head that it has seen.")
    asked_at = models.DateTimeField()
    mistake = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return f"{self.name} {self.mistake}".strip()
