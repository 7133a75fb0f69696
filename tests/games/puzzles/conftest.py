from __future__ import annotations

import pytest

from games.puzzles.finding import find_in_deals
from games.puzzles.packing import Packed


@pytest.fixture(scope="session")
def puzzles() -> list[Packed]:
    """Return the puzzles of some deals, which take a second or two to find."""
    return [puzzle for puzzle in find_in_deals(range(1, 60)) if puzzle]
