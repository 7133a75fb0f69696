from __future__ import annotations

import re

from pyramid_server import __version__
from tests.processes import PROJECT


def test_this_version_has_a_section_in_the_changelog_below_what_is_not_released() -> None:
    headings = re.findall(r"^## (\S+)", (PROJECT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[:2] == ["Unreleased", __version__]
