"""The cup of `make cup`, small: PostgreSQL, Redis, two processes that serve and a worker, one of which dies a round."""

from __future__ import annotations

import pytest

from tests.bench.cup import Scale, cup
from tests.bench.cup_entrants import Pace

SMALL = Scale(entrants=6, qualify_s=12, pace=Pace((2, 4), (0.1, 0.4)), dies_after_s=0.5, is_cold=False)

pytestmark = [pytest.mark.servers, pytest.mark.django_db(transaction=True)]


def test_every_match_is_decided_once_and_no_acknowledged_move_is_lost_although_a_process_dies_in_each_round() -> None:
    assert list(cup(SMALL))
