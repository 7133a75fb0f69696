"""A scout draws through and leaves, and another account of the network plays the plan: a finding, and no verification
before the examination. A household that plays as it pleases is not touched."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from games.play.models import Game, Move
from games.players.models import Player
from games.rules import DRAW, Play
from leaderboards.audit.verifying import verify_entered
from leaderboards.boards.models import Entry
from leaderboards.moderation.evidence_models import KeptFinding
from leaderboards.moderation.examining import examine_games
from leaderboards.moderation.models import Case
from leaderboards.moderation.scouts import OPEN_DAY, keep_back
from leaderboards.moderation.traces import remember
from tests.guards import guards_dropped
from tests.integrity.populate import Attempt
from tests.leaderboards.conftest import named
from tests.leaderboards.detectors.games import QUICK, deal
from tests.leaderboards.moderation.days import attempt, play_day

SEED = QUICK[0]
NOW = datetime(2026, 11, 1, 13, tzinfo=UTC)
PUBLIC = datetime(2026, 11, 2, 1, tzinfo=UTC)
MORNING = 30_000
NEARLY_ALL = 18  # of 24 cards; the last ones follow from all others


@pytest.fixture
def pair(db: None) -> tuple[Player, Player]:
    """Two accounts at one address, with many guests who never played there."""
    scout, mallory = named("scout"), named("mallory")
    for player in (scout, mallory, *(named(f"guest-{place}", is_guest=True) for place in range(9))):
        remember([(player.pk, "192.0.2.1", "")], NOW)
    return scout, mallory


def a_look(player: Player, draws: int = NEARLY_ALL, second: int = MORNING) -> Attempt:
    play = Play(deal(SEED))
    for number in range(draws):
        play.do(DRAW, 400 * number)
    play.resign()
    return Attempt(player, play, second)


def states(game: Game) -> set[str]:
    return set(Entry.objects.filter(game=game, valid_to=None).values_list("state", flat=True))


def test_the_game_after_a_scouts_look_is_a_finding_with_the_others_counts_and_verified_once_examined(
    pair: tuple[Player, Player],
) -> None:
    scout, mallory = pair
    others = [a_look(named("bob")), attempt(named("carol"), "perfect", SEED)]
    _, plan, _, stranger = play_day(0, SEED, a_look(scout), attempt(mallory, "perfect", SEED), *others)
    assert (verify_entered(NOW), verify_entered(NOW)) == (4, 0)
    assert (states(plan), states(stranger)) == ({"provisional"}, {"verified"})
    found = KeptFinding.objects.get()
    assert (found.detector, found.game, found.strength) == (OPEN_DAY, plan, "priority")
    assert "Of all 4 attempts at that deal 2 drew through and gave up, and 2 won." in found.explanation
    assert not Case.objects.exists()  # no sign accuses by itself
    assert examine_games(PUBLIC, seconds=600) == 4
    assert verify_entered(PUBLIC) == 1
    assert states(plan) == {"verified"}
    assert "scouting" in set(mallory.findings.values_list("detector", flat=True))


def test_a_scout_who_only_goes_away_or_deletes_the_account_is_one_as_well(pair: tuple[Player, Player]) -> None:
    scout, mallory = pair
    look, plan = play_day(0, SEED, a_look(scout), attempt(mallory, "perfect", SEED))
    ended = ("finished_at", "elapsed_ms", "moves", "draws", "recycles", "undos", "hints", "cards_left", "hasty")
    with guards_dropped():
        Game.objects.filter(pk=look.pk).update(status="playing", **dict.fromkeys(ended))
        Player.objects.filter(pk=scout.pk).update(is_active=False)
    assert Move.objects.filter(game=look).count() == NEARLY_ALL
    verify_entered(NOW)
    assert states(plan) == {"provisional"}


@pytest.mark.django_db(transaction=True)
def test_a_scout_who_only_goes_away_is_found_although_nobody_has_ended_the_attempt_yet(
    pair: tuple[Player, Player],
) -> None:
    look, _ = play_day(0, SEED, a_look(pair[0]), attempt(pair[1], "perfect", SEED))
    ended = ("finished_at", "elapsed_ms", "moves", "draws", "recycles", "undos", "hints", "cards_left", "hasty")
    with guards_dropped():
        Game.objects.filter(pk=look.pk).update(status="playing", **dict.fromkeys(ended))
    examine_games(PUBLIC, seconds=600)
    assert "scouting" in set(pair[1].findings.values_list("detector", flat=True))


@pytest.mark.parametrize(
    ("draws", "second", "address"),
    [
        (NEARLY_ALL - 1, MORNING, "192.0.2.1"),  # has seen less
        (NEARLY_ALL, 50_000, "192.0.2.1"),  # looked afterwards
        (NEARLY_ALL, MORNING, "192.0.2.99"),  # lives elsewhere
    ],
)
def test_who_did_something_else_at_another_time_or_elsewhere_keeps_nobody_back(
    draws: int, second: int, address: str, db: None
) -> None:
    brother, sister = named("brother"), named("sister")
    remember([(brother.pk, address, "")], NOW)
    remember([(sister.pk, "192.0.2.1", "")], NOW)
    _, won = play_day(0, SEED, a_look(brother, draws, second), attempt(sister, "perfect", SEED))
    verify_entered(NOW)
    assert states(won) == {"verified"}
    assert not KeptFinding.objects.exists()


def test_three_deals_are_worth_watching_and_still_no_case(pair: tuple[Player, Player]) -> None:
    scout, mallory = pair
    for day, seed in enumerate(QUICK[:3]):
        play = Play(deal(seed))
        for number in range(NEARLY_ALL):
            play.do(DRAW, 400 * number)
        play.resign()
        play_day(day, seed, Attempt(scout, play, MORNING), attempt(mallory, "champion", seed))
    won = Game.objects.filter(player=mallory, status="won").count()
    examine_games(PUBLIC + timedelta(days=3), seconds=600)
    found = mallory.findings.filter(detector="scouting").last()
    assert found is not None
    assert (found.score, found.strength) == (won, "watch" if won >= 3 else "priority")
    assert not Case.objects.exists()


def test_many_households_with_scouts_cost_no_more_queries_than_one(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    pairs = [(named(f"scout-{number}"), named(f"mallory-{number}")) for number in range(3)]
    for number, household in enumerate(pairs):
        for player in household:
            remember([(player.pk, f"192.0.2.{number}", "")], NOW)
    attempts = [each for scout, winner in pairs for each in (a_look(scout), attempt(winner, "perfect", SEED))]
    first, *others = play_day(0, SEED, *attempts)[1::2]
    with CaptureQueriesContext(connection) as alone:
        assert keep_back([first.pk], NOW) == {first.pk}
    with django_assert_num_queries(len(alone)):
        assert keep_back([game.pk for game in others], NOW) == {game.pk for game in others}
