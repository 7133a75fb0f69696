"""Every attempt is examined once its day is public, and what the detectors find opens a case or joins one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from games.play.models import Game
from games.players.models import Player
from leaderboards.audit.verifying import verify_entered
from leaderboards.boards.models import Decision, EntryState
from leaderboards.detectors import machine_timing
from leaderboards.moderation import examining, finding
from leaderboards.moderation.evidence_models import AccountEvidence, DetectorRun, Examination, KeptFinding
from leaderboards.moderation.models import Case, LogLine
from tests.guards import guards_dropped
from tests.integrity.hands import BOT
from tests.leaderboards.conftest import NOON, Finish, named
from tests.leaderboards.detectors.games import QUICK
from tests.leaderboards.moderation.days import FIRST_DAY, attempt, play_day

FIRST, SECOND, THIRD = QUICK[:3]
LATER = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.fixture
def robot_days(alice: Player, mallory: Player) -> list[list[Game]]:
    """Alice plays three days like a person, mallory like a program, a little slower than hasty."""
    return [
        play_day(day, seed, attempt(alice, "draws first", seed), attempt(mallory, "draws first", seed, BOT))
        for day, seed in enumerate((FIRST, SECOND, THIRD))
    ]


@pytest.fixture
def mallory(db: None) -> Player:
    return named("mallory")


def test_a_bot_gets_one_case_that_later_games_join_and_a_person_none(
    robot_days: list[list[Game]], mallory: Player
) -> None:
    assert examining.examine_games(LATER, seconds=60) == 6
    case = Case.objects.get()
    assert (case.player, case.daily.day, case.state) == (mallory, FIRST_DAY + timedelta(days=1), "open")
    assert {found.detector for found in case.findings.all() if found.innocent} == {"machine timing"}
    assert [line.facts for line in LogLine.objects.all()] == [{"by": "machine timing"}]
    assert case.rank in (1, 2)
    assert AccountEvidence.objects.get(player=mallory).games == 3
    assert not KeptFinding.objects.exclude(player=mallory).exists()
    assert set(KeptFinding.objects.values_list("version")) == set(DetectorRun.objects.values_list("version"))


def test_nothing_is_examined_before_the_day_is_public(alice: Player) -> None:
    play_day(0, FIRST, attempt(alice, "draws first", FIRST))
    public = datetime(2026, 11, 2, 0, 30, tzinfo=UTC)
    assert examining.examine_games(public - timedelta(milliseconds=1)) == 0
    assert examining.examine_games(public) == 1
    assert examining.examine_games(public) == 0
    seen = Examination.objects.get()
    assert (seen.failed, seen.error, seen.cpu_us > 0) == ([], "", True)


def test_a_detector_that_raises_is_counted_and_the_others_are_asked(
    robot_days: list[list[Game]], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(machine_timing, "read", lambda *_: 1 / 0)
    assert examining.examine_games(LATER, seconds=60) == 6
    runs = {run.detector: run for run in DetectorRun.objects.all()}
    assert (runs["machine timing"].errors, runs["machine timing"].last_error) == (
        6,
        "ZeroDivisionError: division by zero",
    )
    assert (runs["near par"].errors, runs["near par"].games) == (0, 6)
    assert set(Examination.objects.values_list("failed", flat=True).first() or []) == {"hand"}
    assert not Case.objects.exists()
    assert "the detector of hand failed" in caplog.text


def test_a_record_that_does_not_replay_is_a_finding(robot_days: list[list[Game]], alice: Player) -> None:
    game = robot_days[0][0]
    with guards_dropped(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_move WHERE game_id = %s AND version = 5", [game.pk])
    examining.examine_games(LATER, seconds=60)
    found = KeptFinding.objects.get(player=alice)
    assert (found.detector, Case.objects.get(player=alice).daily_id) == ("verification", game.daily_id)
    assert "does not replay" in Examination.objects.get(game=game).error
    verify_entered(LATER)
    finding.open_flagged(LATER)
    assert KeptFinding.objects.filter(player=alice).count() == 1


def test_a_score_that_the_server_flagged_is_a_case_on_the_same_day(alice: Player) -> None:
    quick = attempt(alice, "perfect", FIRST, BOT)
    quick.play.actions[:] = [timed._replace(at_ms=20 * number) for number, timed in enumerate(quick.play.actions)]
    (game,) = play_day(0, FIRST, quick)
    now = datetime(2026, 11, 1, 13, tzinfo=UTC)
    assert (finding.open_flagged(now), finding.open_flagged(now)) == (1, 0)
    found = KeptFinding.objects.get()
    assert (found.detector, Case.objects.get().daily_id, found.game) == ("haste", game.daily_id, game)


@pytest.mark.parametrize(
    ("handle", "hasty", "downtime_ms", "detector"),
    [
        ("alice", 6, 60_001, "haste"),
        ("alice", 5, 60_001, "downtime"),
        ("alice", None, 60_001, "downtime"),
        ("robot", 6, 60_001, "downtime"),
        ("alice", 5, 60_000, "verification"),
    ],
)
def test_the_finding_of_a_flagged_score_names_the_limit_that_was_passed(
    finish: Finish, handle: str, hasty: int | None, downtime_ms: int, detector: str
) -> None:
    game = finish(named(handle, is_bot=handle == "robot"), hasty=hasty, downtime_ms=downtime_ms)
    Decision.objects.create(game=game, state=EntryState.FLAGGED, reason="by the server", at=NOON)
    finding.open_flagged(NOON)
    assert KeptFinding.objects.get(game=game).detector == detector


def test_a_worker_that_died_leaves_its_game_to_another(alice: Player) -> None:
    (game,) = play_day(0, FIRST, attempt(alice, "draws first", FIRST))
    Examination.objects.create(game=game, player=alice, version="1/1", at=LATER)
    assert examining.examine_games(LATER + timedelta(minutes=9)) == 0
    assert examining.examine_games(LATER + timedelta(minutes=10)) == 1
    assert Examination.objects.get().evidence is not None
