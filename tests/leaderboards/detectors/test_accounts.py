"""The state of an account: everything the detectors find, added game by game."""

from __future__ import annotations

import logging
from dataclasses import replace
from random import Random

import msgspec
import pytest

from leaderboards.detectors import machine_timing
from leaderboards.detectors.accounts import Account, Evidence, Known, Level, evidence_of, findings, level, lists_of
from leaderboards.detectors.findings import Finding
from leaderboards.detectors.foresight import Bet
from leaderboards.detectors.fortunes import Fortune
from leaderboards.detectors.machine_timing import Hand
from leaderboards.detectors.naming import BOTH
from leaderboards.detectors.preview import Preview
from leaderboards.detectors.sampled_orders import Orders
from leaderboards.detectors.thresholds import THRESHOLDS, VERSION
from tests.integrity.hands import person, times
from tests.leaderboards.detectors.games import QUICK, choices, deal, game

AT_PAR = (0.94 / 0.4, 0.51 / 0.4, 0.56 / 0.4)
NEVER = (0.01 / 0.18, 0.10 / 0.18, 0.16 / 0.18)
BURST = Hand(fastest_run_ms=700, is_sprint=False, variation=None)


def bet(paid: float) -> tuple[Bet, ...]:
    return (Bet(14, 12, 0.1, (paid,) * 5),)


def account_after(*games: Evidence) -> Account:
    account = Account("mallory")
    for seen in games:
        account = account.after(seen)
    return account


def played(number: int, paid: float, at_par: bool = True) -> Evidence:
    factors, place = (AT_PAR, 0) if at_par else (NEVER, 2)
    return Evidence(f"g{number}", bets=bet(paid), par_factors=factors, gap_bin=place)


def among(others: int, account: Account) -> list[Finding]:
    """Return what is found about an account at the close of a day on which so many others, all honest, were judged."""
    return findings(account, lists_of([account] + [Account("alice")] * others))


def test_choices_that_fit_unseen_cards_and_games_at_par_make_a_case_together() -> None:
    account = account_after(*(played(number, 2.5) for number in range(12)))
    first, *_ = (one for one in among(100, account) if one.detector == BOTH)
    assert first.strength == "case"
    assert first.score >= first.threshold == 10_100
    assert first.innocent


def test_what_is_said_of_every_skill_is_said_of_the_bet_alone() -> None:
    account = account_after(*(played(number, 1.3) for number in range(14)))
    said = next(one for one in among(100, account) if one.detector == BOTH).explanation
    of_any_skill, under_a_premise = said.split("Whatever the skill")[1].split(" if no honest player ")
    bet, mean = f"1 chance in {account.foresight_fortune.value:,.0f} ", f"1 in {account.both:,.0f}"
    assert 10 <= account.foresight_fortune.value < 10_100 <= account.both
    assert (bet in of_any_skill, of_any_skill.count("1 chance in")) == (True, 1)
    assert of_any_skill.endswith(mean)
    assert "two games of five" in under_a_premise
    assert "1 of 101 accounts have 10,100 or more" in under_a_premise
    assert "at most 1% are honest on average, whatever they have in common" in under_a_premise


def test_games_at_par_alone_are_only_watched() -> None:
    account = account_after(*(played(number, 1.0) for number in range(14)))
    assert account.near_par_fortune.value > 10_100
    assert account.both == 0
    assert level(among(100, account)) is Level.WATCH


def test_the_same_evidence_says_less_the_more_accounts_were_judged() -> None:
    account = account_after(*(Evidence(f"g{number}", bets=bet(3.5)) for number in range(9)))
    assert 10_000 < account.foresight_fortune.value < 100_000
    assert [level(among(others, account)) for others in (100, 1_000, 10_000)] == [Level.CASE, Level.WATCH, Level.NONE]


def test_an_account_is_judged_by_the_mean_of_both_and_never_by_their_product() -> None:
    account = account_after(*(played(number, 2.0) for number in range(6)))
    mean = (account.foresight_fortune.value + account.near_par_fortune.value) / 2
    assert account.combined == mean < account.foresight_fortune.value * account.near_par_fortune.value


def test_an_account_leaves_the_list_when_its_fortune_falls() -> None:
    risen = account_after(*(played(number, 2.5) for number in range(12)))
    fallen = risen
    for number in range(40):
        fallen = fallen.after(played(number, 0.2, at_par=False))
    assert (level(among(100, risen)), level(among(100, fallen))) == (Level.CASE, Level.NONE)


def test_an_account_is_plain_data_that_a_row_can_hold() -> None:
    account = account_after(
        played(1, 2.5),
        Evidence("g2", hand=BURST, slope=0.9, distance=3.0, look=Preview("g2", "bob", "g0", 20, 1.0)),
    )
    assert msgspec.json.decode(msgspec.json.encode(account), type=Account) == account


def test_an_account_of_another_version_is_not_gone_on_with() -> None:
    account = replace(Account("mallory"), version="0/0")
    with pytest.raises(ValueError, match="version 0/0"):
        account.after(played(1, 2.0))


def test_a_detector_that_fails_is_logged_and_named_and_the_others_are_asked(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> Hand:
        raise ZeroDivisionError

    monkeypatch.setattr(machine_timing, "read", fail)
    with caplog.at_level(logging.ERROR):
        seen = evidence_of(game(choices("perfect")), Known())
    assert seen.failed == ("hand",)
    assert seen.par_factors == pytest.approx(AT_PAR)
    assert "hand failed on game g1" in caplog.text
    account_after(seen)


def test_all_detectors_say_something_about_a_real_game() -> None:
    own = choices("perfect", 16)
    dice = Random(1)
    server = list(times(game(own, 16).steps, person(dice), dice))
    seen = evidence_of(game(own, 16, server), Known(Orders(deal(16))))
    assert seen.bets
    assert seen.hand
    assert (seen.gap_bin, seen.distance, seen.failed) == (0, 0.0, ())


def test_an_honest_champion_is_no_case() -> None:
    account, dice = Account("alice"), Random(5)
    hand = person(dice)
    for seed in QUICK:
        own = choices("champion", seed)
        server = list(times(game(own, seed).steps, hand, dice))
        account = account.after(evidence_of(game(own, seed, server), Known(Orders(deal(seed)))))
    assert level(among(0, account)) is Level.NONE


def test_a_linked_account_that_looked_first_only_moves_the_case_up() -> None:
    own = game(choices("perfect"), account="mallory", start=10_000_000)
    scout = game(choices("draws first"), name="g0", account="bob")
    seen = evidence_of(own, Known(linked=((scout, 1.0),)))
    assert seen.look == Preview("g1", "bob", "g0", 24, 1.0)
    (found,) = findings(account_after(seen))
    assert (found.detector, found.strength) == ("preview", "priority")
    assert evidence_of(own, Known(linked=((replace(scout, started_ms=20_000_000), 1.0),))).look is None
    weak = evidence_of(own, Known(linked=((scout, 0.02),)))
    assert findings(account_after(weak)) == []


def test_a_sudden_rise_of_skill_only_moves_the_case_up() -> None:
    before = [Evidence(f"g{number}", distance=10.0 + number % 3) for number in range(15)]
    after = [Evidence(f"h{number}", distance=0.0) for number in range(10)]
    (found,) = findings(account_after(*before, *after))
    assert (found.detector, found.strength) == ("skill jump", "priority")
    assert findings(account_after(*before, *before)) == []
    assert findings(account_after(*after, *before)) == []


def test_the_state_of_an_account_starts_with_nothing() -> None:
    account = Account("alice")
    assert account.combined == 1
    assert account.foresight_fortune == Fortune.of(len(THRESHOLDS.slips))
    assert findings(account) == []
    assert account.version == VERSION
