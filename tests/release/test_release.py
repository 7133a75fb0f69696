"""A release is prepared from a clean clone, with its version everywhere and its changes under its name."""

from __future__ import annotations

import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from pyramid_server import __version__
from tests.documents.test_changelog import CHANGELOG
from tests.processes import PROJECT
from tests.release.building import packed, version_of
from tests.release.changelog import released
from tests.release.preparing import git, prepare, require_clean
from tests.release.versions import PLACES, ReleaseError, versions_in

DAY = date(2027, 3, 1)
NEXT = "99.0.0"


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with the files that a release writes."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Alice")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "alice@pyramid.example")
    for name in {"CHANGELOG.md", *(name for name, _, _ in PLACES)}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, tmp_path / name)
    for words in (("init", "--quiet"), ("add", "."), ("commit", "--quiet", "--message", "Everything")):
        git(tmp_path, *words)
    return tmp_path


def test_every_package_the_chart_and_the_document_of_the_sockets_have_the_version_of_the_server() -> None:
    assert set(versions_in(PROJECT).values()) == {__version__}


def test_a_release_is_one_commit_with_its_version_everywhere_and_its_changes_under_its_name(clone: Path) -> None:
    before = git(clone, "rev-parse", "HEAD")
    prepare(clone, NEXT, DAY)
    require_clean(clone)
    assert git(clone, "rev-list", "--count", f"{before}..HEAD") == "1"
    assert set(versions_in(clone).values()) == {version_of(clone)} == {NEXT}
    changelog = (clone / "CHANGELOG.md").read_text()
    assert "## Unreleased\n\n## 99.0.0 (1 March 2027)\n\n### Added\n" in changelog
    assert changelog.replace("\n## 99.0.0 (1 March 2027)\n", "") == CHANGELOG


def test_a_clone_that_is_not_clean_and_a_version_that_is_tagged_are_refused_and_nothing_changes(clone: Path) -> None:
    git(clone, "tag", f"v{NEXT}")
    with pytest.raises(ReleaseError, match=r"the tag v99\.0\.0 exists already"):
        prepare(clone, NEXT, DAY)
    (clone / "notes.txt").write_text("mine")
    with pytest.raises(ReleaseError, match=r"not committed; commit or remove them first:\n\?\? notes\.txt"):
        prepare(clone, "99.0.1", DAY)
    assert git(clone, "status", "--porcelain") == "?? notes.txt"


def test_nothing_changes_if_git_takes_no_commit_or_the_version_has_another_form(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ReleaseError, match=r"MAJOR\.MINOR\.PATCH"):
        prepare(clone, "99.0", DAY)
    monkeypatch.setenv("GIT_AUTHOR_NAME", "")
    with pytest.raises(ReleaseError, match="git commit failed"):
        prepare(clone, NEXT, DAY)
    require_clean(clone)


@pytest.mark.parametrize("version", ["", "1", "1.2", "v1.2.3", "1.2.3rc1", "01.2.3", "1.2.3\n"])
def test_a_version_of_another_form_is_refused(version: str) -> None:
    with pytest.raises(ReleaseError, match=r"a version is MAJOR\.MINOR\.PATCH"):
        released("## Unreleased\n\n### Added\n\n* A.\n\n## 0.9.0 (1 May 2026)\n", version, DAY)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("## Unreleased\n\n## 1.0.0 (1 May 2026)\n\n### Added\n\n* A.\n", "has no change below"),
        ("## 1.0.0 (1 May 2026)\n\n### Added\n\n* A.\n", "has no change below"),
        (
            "## Unreleased\n\n### Added\n\n* B.\n\n## 1.10.0 (1 May 2026)\n\n### Added\n\n* A.\n",
            "not newer than 1.10.0",
        ),
    ],
)
def test_a_release_without_changes_or_older_than_another_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ReleaseError, match=reason):
        released(text, "1.9.0", DAY)


def test_an_archive_depends_on_names_and_contents_alone(tmp_path: Path) -> None:
    for name, mode in (("one", 0o600), ("two", 0o755)):
        file = tmp_path / name / "templates" / "node.yaml"
        file.parent.mkdir(parents=True)
        file.write_text("kind: Deployment")
        file.chmod(mode)
    assert packed(tmp_path / "one", "chart", 5) == packed(tmp_path / "two", "chart", 5)


def test_a_refusal_is_one_sentence() -> None:
    command = [sys.executable, "-m", "tests.release", "cut"]
    refused = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert refused.stderr.startswith("No release: ")
    assert "Traceback" not in refused.stderr
