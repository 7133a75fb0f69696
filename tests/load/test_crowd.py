"""The crowd of `make crowd`, small: PostgreSQL, Redis, and two processes, one of which is killed."""

from __future__ import annotations

import pytest

from tests.bench.crowd import Scale, crowd
from tests.bench.cup_entrants import Pace

SMALL = Scale(12, come_per_second=100, pace=Pace((1000, 1000), (0.1, 0.3)), held_s=0.5, settles_s=3.0, is_cold=False)

pytestmark = [pytest.mark.servers, pytest.mark.django_db(transaction=True)]


def test_who_is_cut_off_comes_back_to_the_same_game_and_no_acknowledged_move_is_lost() -> None:
    figures = {row.what: row.figure for row in crowd(SMALL)}
    assert figures["crowd: sockets that were cut off, and came back"] > 0
