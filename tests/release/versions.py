"""The version: `pyramid_server.__version__` is the source; the other files that name it are written from it."""

from __future__ import annotations

import re
from pathlib import Path

CHART = "pyramid_server/deployment/chart"
SOURCE = "pyramid_server/__init__.py"
# Each line that names the version, as the text before and after it.
PLACES: tuple[tuple[str, str, str], ...] = (
    (SOURCE, '__version__ = "', '"'),
    ("clients/python/pyproject.toml", 'version = "', '"'),
    ("clients/solver/pyproject.toml", 'version = "', '"'),
    ("clients/javascript/package.json", '  "version": "', '",'),
    (f"{CHART}/Chart.yaml", "version: ", ""),
    (f"{CHART}/Chart.yaml", 'appVersion: "', '"'),
    ("docs/asyncapi.json", '    "version": "', '",'),
)
_VERSION = r"(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}"


class ReleaseError(Exception):
    """A sentence that says why there is no release."""


def numbers_of(version: str) -> tuple[int, ...]:
    """Return MAJOR, MINOR and PATCH. Raises ReleaseError if a version is not of that form."""
    if not re.fullmatch(_VERSION, version):
        raise ReleaseError(f"a version is MAJOR.MINOR.PATCH, such as 1.2.0, not {version!r}")
    return tuple(map(int, version.split(".")))


def tag_of(version: str) -> str:
    return f"v{version}"


def versions_in(folder: Path) -> dict[tuple[str, str], str]:
    """Return the version that each place names."""
    found = {}
    for name, before, after in PLACES:
        [found[name, before]] = _line(before, after).findall((folder / name).read_text(encoding="utf-8"))
    return found


def set_version(folder: Path, version: str) -> list[str]:
    """Write a version in each place, and return the files."""
    for name, before, after in PLACES:
        file = folder / name
        text, count = _line(before, after).subn(before + version + after, file.read_text(encoding="utf-8"))
        if count != 1:
            raise ReleaseError(f"{name} names the version {count} times as {before}...{after}, instead of once")
        file.write_text(text, encoding="utf-8")
    return sorted({name for name, _, _ in PLACES})


def _line(before: str, after: str) -> re.Pattern[str]:
    return re.compile(rf"^{re.escape(before)}({_VERSION}){re.escape(after)}$", re.MULTILINE)
