"""The tasks of the worker."""

from django.contrib import admin
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.doors.admin.lists import ReadOnly
from games.runtime.clock import clock
from games.worker.models import WorkerTask


@admin.register(WorkerTask)
class WorkerTaskAdmin(ReadOnly):
    """All tasks on one page: whether each runs, when and for how long it last did, and how often it failed."""

    list_display = (
        *("name", "its_state", "every", "last_run_at", "took", "runs"),
        *("failures", "retries", "last_failure_at", "last_error"),
    )
    list_display_links = None
    list_per_page = 200

    @admin.display(description=_("state"))
    def its_state(self, task: WorkerTask) -> SafeString:
        state = task.state(clock.now())
        return format_html("{}" if state == WorkerTask.State.OK else "<b>{}</b>", state.label)

    @admin.display(description=_("every"), ordering="every_seconds")
    def every(self, task: WorkerTask) -> str:
        return f"{task.every_seconds:g} s"

    @admin.display(description=_("duration"), ordering="last_seconds")
    def took(self, task: WorkerTask) -> str:
        return f"{task.last_seconds:.3f} s"
