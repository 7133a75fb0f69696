"""The release of the pages' files, by which an old tab notices that it is outdated."""

import hashlib
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.doors.scripts import are_bundled

OURS = ("games", "games/client")


@require_safe
@never_cache
def current_release(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"release": release()})


@cache
def release() -> str:
    """Return a short hash of all files that pages load: of the collected ones, or of those in the project."""
    if are_bundled():
        collected: str = getattr(staticfiles_storage, "manifest_hash", "")
        return collected[:12]
    return hash_of_folders(*OURS)[:12]


def hash_of_folders(*names: str) -> str:
    """Return a hash of all files in some folders of static files."""
    return hash_of_files(*(Path(found) for name in names for found in finders.find(name, find_all=True)))


def hash_of_files(*folders: Path) -> str:
    found = hashlib.sha256()
    for folder in folders:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            found.update(f"{file.relative_to(folder)}|".encode())
            found.update(file.read_bytes())
    return found.hexdigest()


urlpatterns = [
    path("release/", current_release, name="release"),
]
