"""The simulated midnights: a deal is there, in time and as its round says, whatever relays and workers do."""

from __future__ import annotations

import pytest

from games.beacon import relays
from tests.bench.midnights import READY_WITHIN, parser, simulate, summed_up


@pytest.mark.django_db
def test_no_day_is_late_or_without_its_round_or_its_label() -> None:
    asked = parser().parse_args(["--nights", "60", "--no-processor", "--graded", "0"])
    nights = list(simulate(asked))
    relays._failed_last.clear()
    assert len(nights) == 60
    assert not any(night.is_late for night in nights)
    assert all(night.is_labelled and night.is_true for night in nights)
    assert {night.is_known for night in nights} == {True, False}
    assert all(night.seconds <= READY_WITHIN for night in nights if night.had_honest)
    assert "60 midnights" in "\n".join(summed_up(nights))


@pytest.mark.django_db
def test_good_nights_all_have_the_round() -> None:
    asked = parser().parse_args(["--nights", "10", "--no-processor", "--graded", "0", "--bad", "0"])
    assert all(night.is_known and night.had_honest and not night.is_late for night in simulate(asked))
    relays._failed_last.clear()
