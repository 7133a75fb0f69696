"""The simulated weeks lose nobody, and tiers come to be of like strength."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.bench.leagues import InMemory, main, parser, simulate
from tests.bench.leagues_seed import InDatabase


def test_tiers_settle_by_strength() -> None:
    asked = parser().parse_args(["--players", "2000", "--weeks", "12", "--present", "0.7"])
    weeks = list(simulate(asked, InMemory()))
    assert weeks[0].correlation < 0.8 < weeks[-1].correlation
    assert all(week.moved < 0.5 for week in weeks)
    assert weeks[-1].players == pytest.approx(2000, rel=0.01)
    assert all(week.groups >= week.players / 50 for week in weeks)


def test_without_luck_the_first_table_is_the_order_of_strength() -> None:
    asked = parser().parse_args(["--players", "1000", "--luck", "0", "--present", "1"])
    (first,) = islice(simulate(asked, InMemory()), 1)
    assert first.correlation > 0.99


def test_the_weeks_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--players", "200", "--weeks", "2"])
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.django_db
def test_the_database_leads_to_the_same_weeks() -> None:
    asked = parser().parse_args(["--players", "150", "--weeks", "7", "--present", "0.5"])
    for stored, computed in zip(simulate(asked, InDatabase(150)), simulate(asked, InMemory()), strict=True):
        assert stored._replace(seconds=0) == computed._replace(seconds=0)
