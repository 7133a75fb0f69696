"""The database of each release with all kinds of rows, for both kinds of database, as `manage.py backup` wrote it."""

from __future__ import annotations

import lzma
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data" / "releases"
VENDORS = {"sqlite": "sqlite3", "postgresql": "pgdump"}


def file_of(version: str, vendor: str) -> Path:
    return FOLDER / f"{version}.{VENDORS[vendor]}.xz"


def keep(backup: Path, version: str, vendor: str) -> Path:
    """Store a backup as that of a release, and return the file."""
    file = file_of(version, vendor)
    file.write_bytes(lzma.compress(backup.read_bytes(), preset=9))
    return file


def backup_of(version: str, vendor: str, folder: Path) -> Path:
    """Return the backup of a release, unpacked into a folder."""
    backup = folder / version
    backup.write_bytes(lzma.decompress(file_of(version, vendor).read_bytes()))
    return backup


def releases() -> list[str]:
    """Return the versions, oldest first."""
    return sorted({file.name.rsplit(".", 2)[0] for file in FOLDER.iterdir()}, key=lambda v: [*map(int, v.split("."))])
