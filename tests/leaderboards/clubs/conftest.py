"""A club that alice founded before the day of the cast opened, with bob in it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.players.models import Player
from leaderboards.clubs.founding import Terms, found
from leaderboards.clubs.membership import join
from leaderboards.clubs.models import Club
from tests.leaderboards.conftest import NOON

EVE = NOON - timedelta(days=1)


def terms(name: str = "Oxbow Club", admission: str = "open") -> Terms:
    return Terms(name, "A cup of tea and one pyramid.", "sc-blue", admission)


@pytest.fixture
def club(alice: Player, bob: Player) -> Club:
    club = found(alice, terms(), EVE)
    join(club.pk, bob, EVE)
    return club
