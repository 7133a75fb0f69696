"""Leave out the tests of `once.txt` when the whole suite runs on PostgreSQL and Redis."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

TESTS = Path(__file__).parent
LINES = [line for line in (TESTS / "once.txt").read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
PATHS = {TESTS / line for line in LINES if "::" not in line}
SINGLE = {f"tests/{line}" for line in LINES if "::" in line}


def is_repeated(config: pytest.Config) -> bool:
    """Return True if this is the whole suite and its second run."""
    is_whole: bool = [*config.args] == config.getini("testpaths")
    return is_whole and settings.DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3"


def require_existing() -> None:
    """Fail if the list names what there is not."""
    assert not [path for path in PATHS if not path.exists()], "tests/once.txt names files that there are not"
