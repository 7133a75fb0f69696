"""Files that a player downloads."""

from __future__ import annotations

from django.http import HttpResponse

ZIP = "application/zip"


def as_download(archive: bytes, name: str) -> HttpResponse:
    """Return an answer that a browser stores as a file, and keeps nowhere else."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(archive, content_type=ZIP, headers=headers)
