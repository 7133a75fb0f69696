"""The commit of a release: its version in every file, its changes under its name."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

from tests.release.changelog import released
from tests.release.versions import ReleaseError, numbers_of, set_version, tag_of


def git(folder: Path, *words: str) -> str:
    """Return what a command of git prints. Raises ReleaseError with its complaint."""
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"git {words[0]} failed: {done.stderr.strip()}")
    return done.stdout.rstrip()


def require_clean(folder: Path) -> None:
    """Raise ReleaseError unless the clone is as its last commit: a release is made of commits alone."""
    if changed := git(folder, "status", "--porcelain"):
        raise ReleaseError(f"the clone has changes that are not committed; commit or remove them first:\n{changed}")


def prepare(folder: Path, version: str, day: date) -> None:
    """Commit a release in a clean clone. Raises ReleaseError, with nothing changed, if that is impossible."""
    numbers_of(version)
    require_clean(folder)
    tag = tag_of(version)
    if git(folder, "tag", "--list", tag):
        raise ReleaseError(f"the tag {tag} exists already")
    changelog = folder / "CHANGELOG.md"
    text = released(changelog.read_text(encoding="utf-8"), version, day)
    written = set_version(folder, version)
    changelog.write_text(text, encoding="utf-8")
    try:
        git(folder, "commit", "--quiet", "--message", f"Version {version}", "--", "CHANGELOG.md", *written)
    except ReleaseError:
        git(folder, "checkout", "--", "CHANGELOG.md", *written)
        raise
