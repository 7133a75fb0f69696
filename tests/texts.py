"""Bring the catalogues of all languages up to date with the texts of the code, and compile them: `make texts`.

It needs GNU gettext. What it makes is part of the project, so that a server needs Python alone.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.processes import PROJECT

PACKAGES = ("games", "leaderboards", "pyramid_server")
DOMAINS = ("django", "djangojs")
LANGUAGES = ("de",)
DJANGO = (sys.executable, "-m", "django")  # without settings, for which a folder is just a folder


def collect(folder: Path, *languages: str) -> None:
    """Write every text of the packages in a folder into its catalogues, with the translations that are there."""
    names = [f"--locale={language}" for language in languages]
    elsewhere = [f"--ignore={path.name}" for path in folder.iterdir() if path.name not in PACKAGES]
    options = [*names, *elsewhere, "--add-location=file", "--no-obsolete", "--verbosity=0"]
    for domain in DOMAINS:
        subprocess.run([*DJANGO, "makemessages", f"--domain={domain}", *options], cwd=folder, check=True)


def compile_all(folder: Path) -> None:
    """Compile the catalogues of a folder. Raises `CalledProcessError` for a placeholder that does not fit its text."""
    for catalogue in folder.glob("*/locale/*/LC_MESSAGES/*.po"):
        subprocess.run(["msgfmt", "--check-format", catalogue, "-o", catalogue.with_suffix(".mo")], check=True)  # noqa: S607


if __name__ == "__main__":
    collect(PROJECT, *LANGUAGES)
    compile_all(PROJECT)
