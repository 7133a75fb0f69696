"""The release of the pages' files, by which an old tab notices that it is outdated."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

OURS = ("games", "games/client")


@require_safe
@never_cache
def current_release(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"release": release()})


@cache
def release() -> str:
    """Return a short hash of all files that pages load: of the collected ones, or of those in the project."""
    collected: str = getattr(staticfiles_storage, "manifest_hash", "")
    return (collected or _hash_of_files(*(Path(str(finders.find(folder))) for folder in OURS)))[:12]


def _hash_of_files(*folders: Path) -> str:
    found = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            found.update(f"{path.relative_to(folder)}|".encode())
            found.update(path.read_bytes())
    return found.hexdigest()
