"""The changelog has one line for each change, under Added, Changed, Fixed or Removed."""

from __future__ import annotations

import re

from pyramid_server import __version__
from tests.processes import PROJECT

CHANGELOG = (PROJECT / "CHANGELOG.md").read_text()
KINDS = ["Added", "Changed", "Fixed", "Removed"]


def sections() -> dict[str, list[str]]:
    """Return the lines of each version that are not empty."""
    _, *parts = re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)
    lines = [[line for line in part.splitlines() if line] for part in parts]
    return {first.split()[0]: rest for first, *rest in lines}


def test_this_version_has_a_section_in_the_changelog_below_what_is_not_released() -> None:
    assert list(sections())[:2] == ["Unreleased", __version__]


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
