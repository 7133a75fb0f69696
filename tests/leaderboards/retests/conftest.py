"""A case about alice whose day is over, and a retest that ines, who holds it, has offered."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine

from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.submission import submit
from leaderboards.moderation.cases import take
from leaderboards.moderation.models import Case
from leaderboards.retests.models import Retest
from leaderboards.retests.offering import Terms, offer
from tests.leaderboards.conftest import NOON, Finish, named
from tests.leaderboards.moderation.conftest import case_about, staff

LATER = NOON + timedelta(days=1)
TERMS = Terms(fresh=5, alike=0, minutes=60, days=7)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(LATER, tick=False) as traveller:
        yield traveller


@pytest.fixture
def ines(db: None) -> Player:
    return staff("ines", "reviewer")


@pytest.fixture
def robin(db: None) -> Player:
    return staff("robin", "reviewer")


@pytest.fixture
def mallory(db: None) -> Player:
    return named("mallory", claimed_at=NOON)


@pytest.fixture
def won(finish: Finish, alice: Player) -> Game:
    game = finish(alice, moves=40)
    submit([game.pk], NOON)
    return game


@pytest.fixture
def case(won: Game, ines: Player) -> Case:
    """The case of alice, held by ines."""
    return take(case_about(won).pk, ines, LATER)


@pytest.fixture
def retest(case: Case, ines: Player) -> Retest:
    return offer(case.pk, ines, TERMS, LATER)
