"""The section *Unreleased* of CHANGELOG.md, which a release names and dates."""

from __future__ import annotations

import re
from datetime import date

from tests.release.versions import ReleaseError, numbers_of

_UNRELEASED = "## Unreleased"
_HEADING = re.compile(r"^## (\d\S*) \(.*\)$", re.MULTILINE)


def released(text: str, version: str, day: date) -> str:
    """Return the changelog with the changes so far under a version, and nothing unreleased."""
    _, mark, below = text.partition(f"{_UNRELEASED}\n")
    if not mark or not re.search(r"^\* ", below.partition("\n## ")[0], re.MULTILINE):
        raise ReleaseError("CHANGELOG.md has no change below '## Unreleased', so there is nothing to release")
    for earlier in _HEADING.findall(text):
        if numbers_of(version) <= numbers_of(earlier):
            raise ReleaseError(f"{version} is not newer than {earlier}, which CHANGELOG.md has already")
    heading = f"## {version} ({day.day} {day:%B %Y})"
    return text.replace(f"{_UNRELEASED}\n", f"{_UNRELEASED}\n\n{heading}\n", 1)
