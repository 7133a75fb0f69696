from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest
import time_machine

from games.models import Deal, Game, Player
from games.services.dailies import ensure_dailies
from tests.games.conftest import PASSWORD
from tests.games.rest.api import Api


@pytest.fixture(autouse=True)
def clock(now: datetime) -> Iterator[time_machine.Traveller]:
    """The time, which stands still until a test moves it."""
    with time_machine.travel(now, tick=False) as traveller:
        yield traveller


@pytest.fixture
def anyone(db: None) -> Api:
    return Api()


@pytest.fixture
def as_alice(clock: object, alice: Player) -> Api:
    return Api(alice)


@pytest.fixture
def as_bob(clock: object, bob: Player) -> Api:
    return Api(bob)


@pytest.fixture
def as_mallory(clock: object, mallory: Player) -> Api:
    return Api(mallory)


@pytest.fixture
def as_carol(clock: object, fast_hashes: None, db: None) -> Api:
    """Someone with a named account."""
    return Api(Player.objects.create_user(username="carol", display_name="Carol", password=PASSWORD))


@pytest.fixture
def dailies(db: None, now: datetime) -> None:
    """The deals of today and the coming week."""
    ensure_dailies(now)


DECK = "5cQsKc7s6c2c9s2hQhTh2s9hTcJs6d6s4s3h5d8c5h9dQcKh9cAc7dAdTsKsTd4h8hJhJc6h3d7hQdKd5s3s4c4dJdAsAh7c3c2d8d8s"
WINNING_LINE = (
    "AcQc Kh 4s9c 3hTs Ks D 4h9d 5d8h 6s7d 2sJh D D 3dTc 6h7h AdQd 5h8c Kd D D 4c9h 2hJs 4d9s 6d7s 3sTh D AsQh 2cJd "
    "D 6c7c AhQs Kc D D 5c8d"
)


@pytest.fixture
def alices_game(alice: Player, now: datetime) -> str:
    """A practice game of alice on the deck for which `WINNING_LINE` wins."""
    deal = Deal.objects.create(rules="relaxed", deck=DECK, created_at=now)
    return Game.objects.create(player=alice, deal=deal, created_at=now).id
