from __future__ import annotations

from random import Random

import pytest

from games.rules import DRAW, Outcome
from leaderboards.detectors import clock_slope, machine_timing
from leaderboards.detectors.clock_slope import Clock
from leaderboards.detectors.findings import Finding
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.machine_timing import Timing
from tests.integrity.hands import BOT, SLOW_CLOCK, STEADY_BOT, Hand, client_times, person, times
from tests.integrity.styles import Choices
from tests.leaderboards.detectors.games import QUICK, choices, drawing, game, game_of


def by_hand(hand: Hand, dice: Random, seed: int = QUICK[0], style: str = "perfect", name: str = "g") -> RankedGame:
    own = choices(style, seed)
    server = list(times(game(own, seed).steps, hand, dice))
    played = game(own, seed, server, name=name)
    return RankedGame(name, played.account, played.deal, 0, played.play, played.par, client_times(server, hand, dice))


def found(hand: Hand, games: int, dice: Random, style: str = "perfect") -> list[Finding]:
    timing = Timing()
    for number in range(games):
        played = by_hand(hand, dice, QUICK[number % len(QUICK)], style, f"g{number}")
        timing = timing.after(played.id, machine_timing.read(played))
    return machine_timing.findings(timing)


def test_a_bot_is_a_case_after_two_games_and_a_steady_one_after_three() -> None:
    (speed,) = found(BOT, 2, Random(1))
    assert speed.strength == "case"
    assert speed.games == ("g0", "g1")
    (regularity,) = found(STEADY_BOT, 3, Random(1))
    assert regularity.strength == "case"
    assert found(BOT, 1, Random(1)) == found(STEADY_BOT, 2, Random(1)) == []


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("style", ["casual", "perfect"])
def test_no_person_is_a_machine_however_they_play(seed: int, style: str) -> None:
    dice = Random(f"{seed}/{style}")
    assert all(finding.strength == "support" for finding in found(person(dice), 12, dice, style))


def test_drumming_on_the_stock_is_human() -> None:
    drummed = game(Choices((DRAW,) * 24, Outcome.RESIGNED), times=[90 * number for number in range(24)])
    assert machine_timing.read(drummed).fastest_run_ms is None


def test_ten_actions_with_removals_within_a_second_are_not() -> None:
    own = choices("perfect")
    fast = game(own, times=[100 * number for number in range(len(own.actions))])
    assert machine_timing.read(fast).fastest_run_ms == 900


def test_a_long_win_in_a_few_seconds_is_a_sprint_whenever_it_began() -> None:
    own = choices("perfect")
    late = [60_000 + 210 * number for number in range(len(own.actions))]
    assert len(own.actions) >= 50
    assert machine_timing.read(game(own, times=late)).is_sprint
    assert not machine_timing.read(game(own, times=[300 * number for number in range(len(own.actions))])).is_sprint


def test_few_actions_say_nothing_of_regularity() -> None:
    hand = machine_timing.read(game_of(drawing(20)))
    assert hand.variation is None


def test_a_hand_that_nothing_slows_supports_other_evidence_after_ten_games() -> None:
    indifferent = Hand(base_ms=900, spread=0.6)
    assert found(indifferent, 9, Random(4)) == []
    (signs,) = found(indifferent, 10, Random(4))
    assert signs.strength == "support"
    assert signs.detector == "timing signs"


def test_a_clock_at_another_speed_is_found_after_three_games_and_only_supports() -> None:
    dice, clock = Random(2), Clock()
    slow = Hand(base_ms=900, spread=0.5, clock=SLOW_CLOCK)
    for number in range(3):
        assert clock_slope.finding(clock) is None
        slope = clock_slope.slope(by_hand(slow, dice, QUICK[number]))
        assert slope == pytest.approx(SLOW_CLOCK, abs=0.002)
        clock = clock.after(f"g{number}", slope or 0)
    wrong = clock_slope.finding(clock)
    assert wrong
    assert (wrong.strength, wrong.games) == ("support", ("g0", "g1", "g2"))


def test_an_honest_clock_and_a_client_that_tells_no_time_are_no_finding() -> None:
    dice = Random(3)
    slope = clock_slope.slope(by_hand(person(dice), dice))
    assert slope == pytest.approx(1, abs=0.005)
    assert clock_slope.slope(game(choices("perfect"))) is None
    assert clock_slope.finding(Clock(games=40)) is None


def test_one_late_answer_does_not_change_the_slope() -> None:
    own = choices("perfect")
    server = [1_000 * number for number in range(len(own.actions))]
    client = tuple(at - 5_000 if at == 40_000 else at for at in server)
    played = game(own, times=server)
    told = RankedGame("g", "alice", "d", 0, played.play, played.par, client)
    assert clock_slope.slope(told) == pytest.approx(1, abs=1e-6)
