from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db.models import F
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal, Deal
from games.calendar.verification import mistakes_in, mistakes_in_commitments
from games.deals.grading import Grade, grade_of
from games.rules import Deck
from games.tlog import merkle, tree
from games.tlog.heads import Head
from games.tlog.keys import log_keys
from games.tlog.models import LogLeaf, LogTile
from games.tlog.signing import mistakes_in_signed_log, sign_log, signed
from leaderboards.audit.sealing import seal_days
from tests.calendar import prepared_dailies
from tests.guards import guards_dropped
from tests.processes import PROJECT


@pytest.fixture(autouse=True)
def _own_key(tmp_path: Path, settings: Settings) -> None:
    settings.PYRAMID_LOG_KEY_FILE = tmp_path / "log_key"


def test_commitments_are_in_the_log_in_the_order_in_which_they_were_made(daily: DailyDeal, now: datetime) -> None:
    prepared_dailies(now + timedelta(days=3))
    logged = [leaf for _, leaf in tree.leaves_of_kind("commitment/1")]
    assert logged == [row.leaf for row in DailyDeal.objects.order_by("pk")]
    assert len(logged) == 18
    assert mistakes_in_commitments() == []


def said_by(command: str, *arguments: str) -> str:
    said = StringIO()
    call_command(command, *arguments, stdout=said, stderr=StringIO())
    return said.getvalue()


@pytest.mark.parametrize("days", ["0", "-1", "3661", "many"])
def test_days_are_a_number_within_reason(db: None, days: str) -> None:
    with pytest.raises(CommandError, match="is not a number of days from 1 to 3660"):
        call_command("make_dailies", f"--days={days}")


def test_many_days_are_made_and_verified_by_one_command_each(now: datetime, db: None) -> None:
    with time_machine.travel(now, tick=False):
        assert said_by("make_dailies", "--days=20").startswith("40 daily deals committed to in ")
        assert said_by("make_dailies", "--days=21").startswith("2 daily deals committed to in ")
    assert {daily.day for daily in DailyDeal.objects.all()} == {now.date() + timedelta(days=n) for n in range(21)}
    assert "42 daily deals match their commitments" in said_by("verify_daily")
    assert "21 daily deals match their commitments" in said_by("verify_daily", "--division=main")


def test_a_swapped_deck_is_found(daily: DailyDeal) -> None:
    with guards_dropped():
        Deal.objects.filter(pk=daily.deal_id).update(
            deck=daily.key.deck(bytes.fromhex(daily.seed), daily.candidate + 1).text
        )
    daily.refresh_from_db()
    assert mistakes_in(daily) == [f"the deck of {daily} is not the one that its seed leads to"]


def test_a_swapped_seed_is_found_though_deck_and_commitment_fit_it(daily: DailyDeal) -> None:
    """Mallory in the database makes everything of one day fit; the log does not."""
    seed = bytes(32)
    with guards_dropped():
        DailyDeal.objects.filter(pk=daily.pk).update(seed=seed.hex(), commitment=daily.key.commitment(seed))
    assert mistakes_in_commitments()[:1] == [f"the log does not have the commitment to {daily}"]


def test_a_deal_that_claims_to_be_older_than_the_one_before_is_found(daily: DailyDeal) -> None:
    last = DailyDeal.objects.order_by("pk").last()
    assert last
    last.committed_at -= timedelta(days=7)
    with guards_dropped():
        last.save()
        LogLeaf.objects.filter(subject=last.leaf.subject).update(text=last.leaf.text)
    assert mistakes_in_commitments() == [f"the log runs backwards at {last}"]


def rewrite_log(daily: DailyDeal) -> None:
    """Replace the commitment to a deal in its row, in its leaf and in the hashes of the log, all of which agree."""
    seed = bytes(32)
    daily.seed, daily.commitment = seed.hex(), daily.key.commitment(seed)
    with guards_dropped():
        daily.save()
        LogLeaf.objects.filter(subject=daily.leaf.subject).update(text=daily.leaf.text)
        texts = LogLeaf.objects.order_by("index").values_list("text", flat=True)
        for (level, number), hashes in merkle.tiles(text.encode() for text in texts).items():
            LogTile.objects.filter(level=level, number=number).update(hashes=hashes)


def test_a_log_that_was_rewritten_does_not_continue_the_head_that_was_signed(
    daily: DailyDeal, dailies: None, now: datetime
) -> None:
    rewrite_log(daily)
    assert mistakes_in_signed_log() + mistakes_in_commitments() == []
    sign_log(now)
    rewritten = DailyDeal.objects.order_by("pk").last()
    assert rewritten
    rewrite_log(rewritten)
    assert mistakes_in_commitments() == []
    assert mistakes_in_signed_log() == ["the log does not continue the head of 16 leaves that was signed before"]


def test_the_log_has_to_continue_a_checkpoint_that_was_kept(daily: DailyDeal, now: datetime, tmp_path: Path) -> None:
    kept = tmp_path / "checkpoint"
    made = sign_log(now)
    assert made
    kept.write_text(made.note)
    prepared_dailies(now + timedelta(days=1), days_ahead=0)
    said_by("verify_daily", f"--checkpoint={kept}")
    for size, root in ((2, bytes(32)), (99, tree.root_at(2))):
        kept.write_text(signed(Head("mallory.example/log", size, root), log_keys()))
        lost = f"WRONG: the log does not continue the head of {size} leaves that was signed before"
        with pytest.raises(CommandError, match="1 mistakes"):
            call_command("verify_daily", f"--checkpoint={kept}", stdout=(said := StringIO()), stderr=StringIO())
        assert said.getvalue().startswith(lost)


def test_a_grade_that_was_asked_for_is_recomputed(daily: DailyDeal) -> None:
    measured = grade_of(Deck.from_text(daily.deal.deck), daily.deal.rule_set)
    for grade in Grade:
        daily.grade = grade
        wrong = [f"the deck of {daily} is not the first of its seed that can be won and is {grade}"]
        assert bool(mistakes_in(daily)) is (grade is not measured)
        assert mistakes_in(daily) in ([], wrong)


def test_a_skipped_candidate_is_found(daily: DailyDeal) -> None:
    with guards_dropped():
        DailyDeal.objects.filter(pk=daily.pk).update(candidate=F("candidate") + 7)
    daily.refresh_from_db()
    assert f"the deck of {daily} is not the first of its seed that can be won" in mistakes_in(daily)


def test_the_command_fails_where_something_is_wrong(daily: DailyDeal) -> None:
    with guards_dropped():
        LogTile.objects.update(hashes=bytes(32))
    said = StringIO()
    with pytest.raises(CommandError, match="1 mistakes in 2 daily deals"):
        call_command("verify_daily", str(daily.day), "--rules=standard", stdout=said, stderr=StringIO())
    assert said.getvalue().startswith("WRONG: the stored hashes of the log")


@pytest.mark.parametrize(
    "wrong",
    [
        ["yesterday"],
        ["2026-02-30"],
        ["2020-01-01"],
        ["--rules=klondike"],
        ["--division=third"],
        ["--checkpoint=/nowhere"],
    ],
)
def test_the_command_says_what_it_does_not_understand(daily: DailyDeal, wrong: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("verify_daily", *wrong, stderr=StringIO())


@pytest.mark.django_db(transaction=True)
def test_anyone_can_verify_from_outside_with_one_file(live_server: LiveServer) -> None:
    ensure_dailies(datetime.fromisoformat("2026-03-01T12:00:00+00:00"))
    at = "2026-03-09T00:30:00Z"
    seal_days(datetime.fromisoformat(at))
    sign_log(datetime.fromisoformat(at))
    command = [sys.executable, str(PROJECT / "docs/examples/verify_daily.py"), live_server.url, "--at", at]
    honest = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    assert (honest.returncode, honest.stderr) == (0, "")
    assert "23 leaves in the log, 16 deals of past days checked, 0 mistakes.\n" in honest.stdout
    assert "2 deals WERE COMMITTED TO ONLY WHEN THEIR DAY HAD BEGUN" in honest.stdout
    main = subprocess.run([*command, "2026-03-02", "--division=main"], capture_output=True, text=True, check=False)
    assert "23 leaves in the log, 1 deals of past days checked, 0 mistakes.\n" in main.stdout
    first = DailyDeal.objects.order_by("pk")[0]
    with guards_dropped():
        Deal.objects.filter(pk=first.deal_id).update(deck=first.key.deck(bytes(32)).text)
    caught = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    assert caught.returncode == 1
    assert f"WRONG: the deck of {first} is not the one that its seed leads to" in caught.stdout


def test_a_commitment_that_the_log_does_not_have_and_one_without_a_deal_are_found(daily: DailyDeal) -> None:
    with guards_dropped():
        DailyDeal.objects.filter(pk=daily.pk).update(grade="hard")
    logged = daily.leaf.text
    daily.refresh_from_db()
    found = mistakes_in_commitments()
    assert f"the log does not have the commitment to {daily}" in found
    assert f"the log has a commitment without a deal: {logged}" in found
