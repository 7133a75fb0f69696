"""Leave out the tests of `once.txt` when the whole suite runs on PostgreSQL and Redis."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

TESTS = Path(__file__).parent
ONLY = "only "
LINES = [line for line in (TESTS / "once.txt").read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
PATHS = {TESTS / line for line in LINES if "::" not in line}
SINGLE = {f"tests/{line}" for line in LINES if "::" in line and not line.startswith(ONLY)}
REPEATED = {f"tests/{line.removeprefix(ONLY)}" for line in LINES if line.startswith(ONLY)}
PARTLY_REPEATED = {test.partition("::")[0] for test in REPEATED}


def is_whole_and_second(config: pytest.Config) -> bool:
    """Return True if this is the whole suite and its second run."""
    is_whole: bool = [*config.args] == config.getini("testpaths")
    return is_whole and settings.DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3"


def is_left_out(item: pytest.Item) -> bool:
    """Return True for a test that is not repeated though its file is not left out; some are not run before at all."""
    if item.get_closest_marker("servers"):
        return False
    function = item.nodeid.partition("[")[0]
    if function.partition("::")[0] in PARTLY_REPEATED:
        return function not in REPEATED
    return bool({item.nodeid, function} & SINGLE)


def require_existing() -> None:
    """Fail if the list names what there is not."""
    missing = [str(path) for path in PATHS if not path.exists()]
    missing += [test for test in SINGLE | REPEATED if not _is_there(test)]
    assert not missing, f"tests/once.txt names what there is not: {missing}"


def _is_there(test: str) -> bool:
    path, _, name = test.partition("[")[0].partition("::")
    file = TESTS.parent / path
    return file.exists() and f"def {name}(" in file.read_text(encoding="utf-8")
