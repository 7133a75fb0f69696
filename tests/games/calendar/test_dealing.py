"""Deals that depend on a beacon: nobody knows them before their minute, and no day opens without one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.test import Client
from pytest_django import Settings

from games.beacon import relays
from games.beacon.models import BeaconOutcome
from games.beacon.relays import Asked
from games.calendar import dealing
from games.calendar.dailies import ensure_dailies
from games.calendar.dealing import deal_days
from games.calendar.models import DailyDeal, Deal
from games.calendar.verification import mistakes_in, mistakes_in_commitments
from games.days.disclosure import NotDealt, look_at_secrets
from games.deals.beacons import BEACONS, Beacon, mixed, randomness_of
from games.deals.certify import first_fitting
from games.deals.grading import Grade, grade_of
from games.play.starting import start_ranked
from games.players.models import Player
from games.rules import RULE_SETS, Deck
from games.tlog import tree
from leaderboards.audit.models import DayRoot
from leaderboards.audit.wire import DayLine
from tests.beacon import OURS, relaying, signature_of
from tests.calendar import prepared_dailies
from tests.games.api import Api
from tests.guards import guards_dropped, require_guarded

DAY = date(2026, 3, 8)
MIDNIGHT = datetime(2026, 3, 8, tzinfo=UTC)
ROUND = OURS.round_for(MIDNIGHT)
MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
SIGNED = signature_of(ROUND)


@pytest.fixture(autouse=True)
def our_beacon(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[None]:
    """Let our beacon take the place of the real one, and let the deals of `standard` depend on it."""
    monkeypatch.setitem(BEACONS, "quicknet", OURS)
    settings.PYRAMID_PROGRAMME = {
        "slots": [
            {"rules": "standard", "beacon": "quicknet"},
            {"rules": "relaxed", "divisions": ["open"]},
        ]
    }
    settings.PYRAMID_BEACON_RELAYS = ["a", "b"]
    settings.PYRAMID_DAILIES_AHEAD_DAYS = 1
    relays._failed_last.clear()
    yield
    relays._failed_last.clear()


@pytest.fixture
def tomorrow(db: None) -> list[DailyDeal]:
    """The commitments to tomorrow's deals that depend on the beacon."""
    prepared_dailies(MIDNIGHT - timedelta(hours=12))
    return waiting()


def waiting() -> list[DailyDeal]:
    return list(DailyDeal.objects.filter(day=DAY, rules="standard").order_by("division"))


def honest(relay: str, beacon: Beacon, number: int, seconds: float) -> Asked:
    return Asked(signature_of(number))


def down(relay: str, beacon: Beacon, number: int, seconds: float) -> Asked:
    return Asked(mistake="down")


def deal_at(now: datetime, ask: relays.Ask = honest) -> list[DailyDeal]:
    return deal_days(now, lambda: now, ask)


def leaves(kind: str) -> list[str]:
    return [leaf.text for _, leaf in tree.leaves_of_kind(kind)]


def test_a_commitment_names_the_beacon_and_its_round_and_there_is_no_deal(tomorrow: list[DailyDeal]) -> None:
    assert [(daily.beacon, daily.round, daily.is_dealt) for daily in tomorrow] == [("quicknet", ROUND, False)] * 2
    assert [leaf for leaf in leaves("commitment/1") if leaf.endswith(f"|quicknet|{ROUND}")] == [
        daily.leaf.text for daily in sorted(tomorrow, key=lambda daily: daily.pk)
    ]
    assert DailyDeal.objects.get(day=DAY, rules="relaxed").is_dealt
    assert not Deal.objects.filter(rules="standard", daily__day=DAY).exists()


def test_a_day_that_began_before_its_commitment_depends_on_no_beacon(db: None) -> None:
    ensure_dailies(MIDNIGHT - 2 * MINUTE)  # the round is a minute away: others may know it sooner than this clock
    assert not DailyDeal.objects.filter(beacon="quicknet").exists()
    assert not DailyDeal.objects.filter(deal=None).exists()
    assert mistakes_in_commitments() == []


def test_a_deal_is_found_in_its_minute_with_its_grade_and_follows_from_seed_and_round(
    db: None, settings: Settings
) -> None:
    settings.PYRAMID_PROGRAMME = {"slots": [{"rules": "standard", "grade": "medium", "beacon": "quicknet"}]}
    prepared_dailies(MIDNIGHT - timedelta(hours=12))
    assert deal_at(MIDNIGHT - MINUTE - SECOND) == []
    dealt = deal_at(MIDNIGHT - MINUTE)
    assert [daily.division for daily in dealt] == ["main", "open"]
    for daily in waiting():
        seed = mixed(bytes.fromhex(daily.seed), randomness_of(SIGNED))
        assert daily.candidate == first_fitting(daily.key, seed, Grade.MEDIUM)
        assert daily.deal.deck == daily.key.deck(seed, daily.candidate).text
        assert daily.deal.is_winnable
        assert grade_of(Deck.from_text(daily.deal.deck), RULE_SETS["standard"]) is Grade.MEDIUM
        assert mistakes_in(daily) == []
    assert leaves("beacon/1") == [f"pyramid/beacon/1|{DAY}|standard|quicknet|{ROUND}|{randomness_of(SIGNED)}"]
    assert mistakes_in_commitments() == []
    assert deal_at(MIDNIGHT) == []


def test_without_the_round_the_day_falls_back_at_its_deadline_and_says_so(
    tomorrow: list[DailyDeal], anyone: Api
) -> None:
    for second in range(60, 20, -1):
        assert deal_at(MIDNIGHT - second * SECOND, down) == []
    assert len(deal_at(MIDNIGHT - 20 * SECOND, down)) == 2
    for daily in waiting():
        assert daily.deal.deck == daily.key.deck(bytes.fromhex(daily.seed), daily.candidate).text
        assert mistakes_in(daily) == []
    assert leaves("beacon/1") == [f"pyramid/beacon/1|{DAY}|standard|quicknet|{ROUND}|fallback"]
    with time_machine.travel(MIDNIGHT, tick=False):
        told = {daily["rules"]: daily["beacon"] for daily in anyone.get(f"/api/daily/{DAY}/").json()["dailies"]}
    assert told["relaxed"] is None
    assert told["standard"] == {
        "name": "quicknet",
        "round": ROUND,
        "state": "fallback",
        "randomness": None,
        "signature": None,
    }


def test_a_round_that_comes_after_the_deadline_changes_nothing(tomorrow: list[DailyDeal]) -> None:
    deal_at(MIDNIGHT - 20 * SECOND, down)
    cards = [daily.deal.deck for daily in waiting()]
    deal_at(MIDNIGHT - 19 * SECOND)
    assert [daily.deal.deck for daily in waiting()] == cards


def test_an_exported_day_has_the_round_from_which_its_deals_follow(tomorrow: list[DailyDeal]) -> None:
    deal_at(MIDNIGHT - MINUTE)
    day = DayLine.of(DayRoot(day=DAY, count=0, root="e3" * 32))
    shown = {deal.rules: deal.beacon for deal in day.deals}
    assert shown["relaxed"] is None
    assert shown["standard"] is not None
    assert (shown["standard"].round, shown["standard"].signature) == (ROUND, SIGNED)


def test_the_round_is_served_as_soon_as_it_is_known(tomorrow: list[DailyDeal], anyone: Api) -> None:
    def told() -> list[Any]:
        return [daily["beacon"] for daily in anyone.get(f"/api/daily/{DAY}/").json()["dailies"] if daily["beacon"]]

    unknown = {"name": "quicknet", "round": ROUND, "state": "awaited", "randomness": None, "signature": None}
    with time_machine.travel(MIDNIGHT - 2 * MINUTE, tick=False):
        assert told() == [unknown] * 2
    with time_machine.travel(MIDNIGHT - MINUTE, tick=False):
        deal_at(MIDNIGHT - MINUTE)
        known = {**unknown, "state": "known", "randomness": randomness_of(SIGNED), "signature": SIGNED}
        assert told() == [known] * 2


def test_a_worker_that_dies_between_the_round_and_the_deal_changes_nothing(
    tomorrow: list[DailyDeal], monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(dealing, "found_deal", die)
        with pytest.raises(KeyboardInterrupt):
            deal_at(MIDNIGHT - MINUTE)
    assert BeaconOutcome.objects.get().signature == SIGNED
    assert len(deal_at(MIDNIGHT - SECOND, down)) == 2
    assert [mistakes_in(daily) for daily in waiting()] == [[], []]
    assert len(leaves("beacon/1")) == 1


def test_two_workers_of_which_one_has_no_network_agree(tomorrow: list[DailyDeal]) -> None:
    main, open_ = tomorrow
    first = dealing._decide(main, SIGNED, MIDNIGHT - 20 * SECOND)
    second = dealing._decide(open_, "", MIDNIGHT - 20 * SECOND)
    assert (first, first.signature) == (second, SIGNED)
    assert dealing._deal(main, first, MIDNIGHT - 20 * SECOND)
    assert not dealing._deal(main, first, MIDNIGHT - 19 * SECOND)  # and leaves no deal behind that nobody has
    assert (
        Deal.objects.filter(rules="standard").exclude(daily=None).count()
        == Deal.objects.filter(rules="standard").count()
    )


def test_a_day_that_no_worker_has_dealt_is_dealt_when_the_first_player_comes(
    tomorrow: list[DailyDeal], alice: Player
) -> None:
    game = start_ranked(alice, "standard", MIDNIGHT + SECOND)
    assert game.daily_id == tomorrow[1].pk
    assert [daily.is_dealt for daily in waiting()] == [True, True]
    assert leaves("beacon/1")[0].endswith("|fallback")


def test_a_relay_over_http_is_enough(tomorrow: list[DailyDeal], settings: Settings) -> None:
    with relaying() as relay:
        settings.PYRAMID_BEACON_RELAYS = ["http://127.0.0.1:1", relay.url]
        assert len(deal_days(MIDNIGHT - MINUTE, lambda: MIDNIGHT - MINUTE)) == 2
        assert relay.asked == [f"/{OURS.chain}/public/{ROUND}"]  # once for both divisions
    assert BeaconOutcome.objects.get().signature == SIGNED


def test_the_database_lets_no_round_be_told_twice(tomorrow: list[DailyDeal]) -> None:
    deal_at(MIDNIGHT - MINUTE)
    outcome = BeaconOutcome.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        BeaconOutcome.objects.create(day=DAY, rules="standard", beacon="quicknet", round=ROUND, decided_at=MIDNIGHT)
    outcome.signature = ""
    with pytest.raises(IntegrityError), transaction.atomic():
        tree.append(outcome.leaf, MIDNIGHT)
    require_guarded(
        "UPDATE games_beaconoutcome SET signature = ''",
        "DELETE FROM games_beaconoutcome",
    )


def test_a_deal_that_was_waited_for_is_set_once_and_nothing_else_with_it(tomorrow: list[DailyDeal]) -> None:
    other = f"deal_id = '{Deal.objects.create(rules='standard', deck='', created_at=MIDNIGHT).pk}'"
    require_guarded(
        "UPDATE games_dailydeal SET seed = 'ff' WHERE deal_id IS NULL",
        "UPDATE games_dailydeal SET round = 1 WHERE deal_id IS NULL",
        "UPDATE games_dailydeal SET beacon = '', round = 0 WHERE deal_id IS NULL",
        f"UPDATE games_dailydeal SET {other}, candidate = 0, day = '2026-03-09' WHERE deal_id IS NULL",  # noqa: S608
        f"UPDATE games_dailydeal SET {other} WHERE deal_id IS NULL",  # noqa: S608  without a candidate
        "DELETE FROM games_dailydeal WHERE deal_id IS NULL",
    )
    deal_at(MIDNIGHT - MINUTE)
    require_guarded(f"UPDATE games_dailydeal SET {other} WHERE rules = 'standard'")  # noqa: S608


def test_staff_cannot_look_at_a_deal_that_does_not_exist_yet(
    tomorrow: list[DailyDeal], staff: Player, client: Client
) -> None:
    with pytest.raises(NotDealt):
        look_at_secrets(tomorrow[0], staff, "A player reports a broken deal.", MIDNIGHT - 2 * MINUTE)
    client.force_login(staff)
    address = f"/admin/games/dailydeal/{tomorrow[0].pk}/secrets/"
    with time_machine.travel(MIDNIGHT - 2 * MINUTE, tick=False):
        for page in (
            client.get(address),
            client.post(address, {"reason": "A player reports a broken deal.", "confirmed": "on"}),
            client.get(f"/admin/games/dailydeal/{tomorrow[0].pk}/change/"),
        ):
            assert tomorrow[0].seed not in page.content.decode()
        assert "nobody knows before the last minute" in client.get(address).content.decode()
    assert not tomorrow[0].seen_by.exists()


def cards_that_follow_from(seeds: set[bytes], daily: DailyDeal) -> set[str]:
    """Return the decks of the first candidates of seeds, of which three in four can be won."""
    return {daily.key.deck(seed, candidate).text for seed in seeds for candidate in range(10)}


def test_a_dump_of_the_database_two_minutes_before_midnight_has_no_card_of_tomorrow(
    tomorrow: list[DailyDeal],
) -> None:
    known = {bytes.fromhex(daily.seed) for daily in DailyDeal.objects.all()}
    now = MIDNIGHT - 2 * MINUTE
    rounds = range(OURS.round_from(now) - 30, OURS.round_from(now) + 1)
    randomness = {randomness_of(signature_of(number)) for number in rounds} | {"", "0" * 64, "fallback"}
    guessed = known | {mixed(seed, each) for seed in known for each in randomness}
    dumped = set(Deal.objects.values_list("deck", flat=True))
    deal_at(MIDNIGHT - MINUTE)
    for daily in waiting():
        assert daily.deal.deck not in dumped | cards_that_follow_from(guessed, daily)
        # With the round, the same search finds it, so that it is the round alone that was missing.
        assert daily.deal.deck in cards_that_follow_from(
            {mixed(bytes.fromhex(daily.seed), randomness_of(SIGNED))}, daily
        )


def test_a_round_that_was_exchanged_is_found(tomorrow: list[DailyDeal]) -> None:
    deal_at(MIDNIGHT - MINUTE)
    for changes in (
        {"round": ROUND - 1, "signature": signature_of(ROUND - 1)},
        {"signature": signature_of(ROUND - 1)},
        {"beacon": "slownet"},
        {"signature": ""},
    ):
        sid = transaction.savepoint()
        with guards_dropped():
            BeaconOutcome.objects.update(**changes)
        assert any("the log does not have the round of a day" in mistake for mistake in mistakes_in_commitments())
        assert all(mistakes_in(daily) for daily in waiting())
        transaction.savepoint_rollback(sid)


def test_a_seed_that_was_exchanged_is_found(tomorrow: list[DailyDeal]) -> None:
    with guards_dropped():
        DailyDeal.objects.filter(deal=None).update(seed="ab" * 32)
    assert mistakes_in(waiting()[0]) == [f"the seed of {waiting()[0].key} is not the one that was committed to"]


@pytest.mark.parametrize("signature", [signature_of(ROUND - 1), "a5" * 48])
def test_a_round_that_the_beacon_has_not_signed_is_found_although_all_else_agrees(
    tomorrow: list[DailyDeal], signature: str
) -> None:
    outcome = dealing._decide(tomorrow[0], signature, MIDNIGHT - MINUTE)  # by an operator who has changed the program
    assert dealing._deal(tomorrow[0], outcome, MIDNIGHT - MINUTE)
    assert mistakes_in_commitments() == []
    key = tomorrow[0].key
    assert mistakes_in(waiting()[0]) == [
        f"the round on which the deal of {key} depends is not the one that was committed to"
    ]
