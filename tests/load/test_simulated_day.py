"""The simulated day loses nobody, and waits as queueing theory says."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from tests.bench.simulated_day import DAY, MINUTE, Step, arrivals_of, busiest, main, parser, simulate, steps_of

SEED = 7


def test_everyone_who_comes_does_every_step_and_leaves() -> None:
    asked = parser().parse_args(["--moves", "5", "--rush", "0.5"])
    dice = np.random.default_rng(SEED)
    arrivals = arrivals_of(asked, 2000, dice)
    assert arrivals == sorted(arrivals)
    assert 0 <= arrivals[0] <= arrivals[-1] < DAY
    waits = simulate(arrivals, steps_of(asked), dice)
    assert (waits.arrived, waits.ended) == (2000, 2000)
    assert [len(of_step) for of_step in waits.by_step] == [2000] * 8
    assert sum(waits.messages) == 8 * 2000


def test_a_steady_stream_waits_as_the_formula_of_a_single_server_says() -> None:
    dice, cost, load = np.random.default_rng(SEED), 0.1, 0.7
    arrivals = np.cumsum(dice.exponential(cost / load, 200_000)).tolist()
    waits = simulate(arrivals, [Step("only", cost, 0)], dice)
    assert np.mean(waits.by_step[0]) == pytest.approx(cost * load / (1 - load), rel=0.05)
    lasted = range(1, int(arrivals[-1] // MINUTE))
    assert np.mean([waits.busy[minute] / MINUTE for minute in lasted]) == pytest.approx(load, rel=0.01)


def test_the_busiest_minute_of_a_day_is_what_the_formula_predicts() -> None:
    asked = parser().parse_args(["--rush-minutes", "60"])
    dice = np.random.default_rng(SEED)
    peak = busiest(simulate(arrivals_of(asked, 12_000, dice), [Step("only", 0.4, 0)], dice))
    assert 0.2 < peak.load < 0.7
    assert peak.wait == pytest.approx(peak.predicted, rel=0.5)


def test_a_rush_beyond_what_a_node_can_do_queues_up_as_far_as_the_flow_says() -> None:
    """The rate is players / mean * exp(-t / mean), the work that is done 1 / cost; where both meet, most waits."""
    dice, players, mean, cost = np.random.default_rng(SEED), 100_000, 600.0, 0.02
    arrivals = np.sort(dice.exponential(mean, players)).tolist()
    waits = simulate(arrivals, [Step("start", cost, 0)], dice)
    load = players / mean * cost
    assert max(waits.by_step[0]) == pytest.approx(mean * (load - 1 - log(load)), rel=0.02)


def test_a_small_day_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--players", "600", "--nodes", "1", "3", "--moves", "0"])
    printed = capsys.readouterr().out
    assert "600 players on 3 nodes" in printed
    assert printed.count("players in the day, all nodes                                       600") == 2


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [("--rush", "2", "2 is not from 0 to 1"), ("--players", "many", "'many' is not a number")],
)
def test_a_figure_that_cannot_be_is_refused(
    option: str, value: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([option, value])
    assert complaint in capsys.readouterr().err
