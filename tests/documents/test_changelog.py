"""The changelog has one line for each change, under Added, Changed, Fixed or Removed."""

from __future__ import annotations

import json
import re
import tomllib

from pyramid_server import __version__
from tests.documents.test_links import CODE, DOCUMENTS
from tests.processes import PROJECT

CHANGELOG = (PROJECT / "CHANGELOG.md").read_text()
KINDS = ["Added", "Changed", "Fixed", "Removed"]
NEW_IN = re.compile(r"\*New in ([^*]+)\*")


def sections() -> dict[str, list[str]]:
    """Return the lines of each version that are not empty."""
    _, *parts = re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)
    lines = [[line for line in part.splitlines() if line] for part in parts]
    return {first.split()[0]: rest for first, *rest in lines}


def released() -> list[str]:
    """Return the versions that have been released, newest first."""
    unreleased, *versions = sections()
    assert unreleased == "Unreleased"
    return versions


def test_the_version_is_the_newest_in_the_changelog_below_what_is_not_released() -> None:
    assert released()[:1] in ([], [__version__])


def test_the_clients_have_the_version_of_the_server() -> None:
    python = tomllib.loads((PROJECT / "clients/python/pyproject.toml").read_text())["project"]["version"]
    javascript = json.loads((PROJECT / "clients/javascript/package.json").read_text())["version"]
    assert (python, javascript) == (__version__, __version__)


def test_documents_mark_as_new_only_what_came_after_the_first_version() -> None:
    marked = {version for document in DOCUMENTS for version in NEW_IN.findall(CODE.sub("", document.read_text()))}
    assert marked <= {*released()[:-1], *(["the next version"] if released() else [])}


def test_each_change_is_one_line_of_its_kind() -> None:
    for version, lines in sections().items():
        kinds = [line.removeprefix("### ") for line in lines if line.startswith("#")]
        assert lines[0].startswith("### "), f"{version}: changes belong under {KINDS}"
        assert kinds == [kind for kind in KINDS if kind in kinds], (
            f"{version}: each heading once, in the order of {KINDS}"
        )
        changes = [line for line in lines if not line.startswith("#")]
        wrong = [line for line in changes if not re.fullmatch(r"\* \S.{0,157}", line)]
        assert not wrong, "a change is one line of at most 160 characters, '* ...':\n" + "\n".join(wrong)
        assert len(set(changes)) == len(changes), f"{version}: a line is there twice"
