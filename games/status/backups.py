"""The moments at which the database was saved, or a restore rehearsed: alerts ask how long ago the last one was."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from django.db import DatabaseError, connection, transaction

from games.runtime.clock import clock
from games.status.models import Backup, Rehearsal


def note_backup() -> None:
    """Note that the database has just been saved. A backup is none the worse if that fails, as before `migrate`."""
    with suppress(DatabaseError), transaction.atomic():
        Backup.objects.create(made_at=clock.now())


def last_backup() -> datetime | None:
    """Return when the database was last saved, or None if it never was."""
    return Backup.objects.order_by("-made_at").values_list("made_at", flat=True).first()


def last_rehearsal() -> datetime | None:
    """Return when a restore was last rehearsed with success, or None if it never was."""
    succeeded = Rehearsal.objects.filter(succeeded_at__isnull=False).order_by("-succeeded_at")
    return succeeded.values_list("succeeded_at", flat=True).first()


def last_archived() -> datetime | None:
    """Return when PostgreSQL last added a part of its log to an archive (docs/archive.md), or None without one."""
    if connection.vendor != "postgresql":
        return None
    # PostgreSQL still remembers the last part of an archive that was given up.
    is_on = "current_setting('archive_mode') <> 'off'"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT CASE WHEN {is_on} THEN last_archived_time END FROM pg_stat_archiver")  # noqa: S608
        [archived_at] = cursor.fetchone()
    return archived_at  # type: ignore[no-any-return]
