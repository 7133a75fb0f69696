from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine

from games.models import Player
from tests.leaderboards.conftest import NOON, Finish, named, submit_score


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    with time_machine.travel(NOON, tick=False):
        yield


@pytest.fixture
def table(alice: Player, bob: Player, finish: Finish) -> None:
    submit_score(finish(alice, moves=41, elapsed_ms=183_250), NOON)
    submit_score(finish(bob, cards_left=3, moves=37), NOON)


@pytest.fixture
def nine(finish: Finish) -> None:
    for number in range(9):
        submit_score(finish(named(f"player-{number}"), moves=10 + number), NOON)
