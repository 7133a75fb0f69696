from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import own_database


@pytest.fixture
def own_environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    with own_database(tmp_path) as environment:
        yield environment
