"""The record of the worker's tasks."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class WorkerTask(models.Model):
    """A periodic task: its last run in any worker, and how many there have been."""

    class State(models.TextChoices):
        OK = "ok", _("runs")
        LATE = "late", _("late")
        FAILING = "failing", _("fails")

    name = models.CharField(_("task"), max_length=100, primary_key=True)
    every_seconds = models.FloatField(_("every, seconds"))
    last_run_at = models.DateTimeField(_("last run"))
    last_seconds = models.FloatField(_("duration, seconds"))
    runs = models.PositiveBigIntegerField(_("runs"), default=0)
    failures = models.PositiveBigIntegerField(_("failures"), default=0)
    retries = models.PositiveBigIntegerField(_("retries"), default=0, help_text=_("Runs that followed a failure."))
    failures_in_a_row = models.PositiveIntegerField(_("failures in a row"), default=0)
    last_failure_at = models.DateTimeField(_("last failure"), null=True)
    last_error = models.CharField(_("last error"), max_length=100, help_text=_("Its type; the log has the rest."))

    # A single failure is made up for by the next run; a task is late when two runs and this time have gone by.
    MOST_FAILURES: ClassVar = 2
    TOLERANCE: ClassVar = timedelta(seconds=90)

    class Meta:
        verbose_name = _("worker task")
        verbose_name_plural = _("worker tasks")
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name

    def state(self, at: datetime) -> State:
        """Return how the task did, seen from a time at which a worker was running."""
        if self.failures_in_a_row >= self.MOST_FAILURES:
            return self.State.FAILING
        is_late = at - self.last_run_at > 2 * timedelta(seconds=self.every_seconds) + self.TOLERANCE
        return self.State.LATE if is_late else self.State.OK
