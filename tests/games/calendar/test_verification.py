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
from games.calendar.verification import KeptLink, mistakes_in, mistakes_in_chain
from games.deals.chain import FIRST_LINK, Commitment, link
from games.deals.grading import Grade, grade_of
from games.rules import Deck
from games.tlog.signing import sign_log
from leaderboards.audit.sealing import seal_days
from tests.guards import guards_dropped
from tests.processes import PROJECT


def test_commitments_are_chained_in_the_order_in_which_they_were_made(daily: DailyDeal, now: datetime) -> None:
    ensure_dailies(now + timedelta(days=3))
    last = FIRST_LINK
    for number, row in enumerate(DailyDeal.objects.order_by("number"), start=1):
        last = link(last, Commitment(number, row.key, None, row.committed_at, row.commitment))
        assert (row.number, row.link) == (number, last)
    assert number == 22
    assert mistakes_in_chain() == []


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
    """Mallory in the database makes everything of one day fit; the chain that others have seen does not."""
    seed = bytes(32)
    with guards_dropped():
        DailyDeal.objects.filter(pk=daily.pk).update(seed=seed.hex(), commitment=daily.key.commitment(seed))
    assert mistakes_in_chain()[:1] == [f"the chain of commitments is broken at number {daily.number}, {daily}"]


def test_a_deal_that_claims_to_be_older_than_the_one_before_is_found(daily: DailyDeal) -> None:
    last = DailyDeal.objects.order_by("-number")[0]
    last.committed_at -= timedelta(days=7)
    last.link = last.link_after(DailyDeal.objects.get(number=last.number - 1).link)
    with guards_dropped():
        last.save()
    assert mistakes_in_chain()[:1] == [f"the chain of commitments runs backwards at number {last.number}, {last}"]


def test_a_chain_has_to_pass_through_a_link_that_was_kept(daily: DailyDeal) -> None:
    assert mistakes_in_chain([KeptLink(daily.number, daily.link)]) == []
    for kept in (KeptLink(daily.number, "0" * 64), KeptLink(999, daily.link)):
        assert mistakes_in_chain([kept]) == [f"the chain does not pass through the link {kept.number}:{kept.link}"]
    said_by("verify_daily", f"--link={daily.number}:{daily.link}")
    with pytest.raises(CommandError, match="1 mistakes"):
        call_command("verify_daily", f"--link={daily.number}:{'0' * 64}", stdout=StringIO(), stderr=StringIO())


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
        DailyDeal.objects.filter(pk=daily.pk).update(link="0" * 64)
    said = StringIO()
    with pytest.raises(CommandError, match="1 mistakes in 2 daily deals"):
        call_command("verify_daily", str(daily.day), "--rules=standard", stdout=said, stderr=StringIO())
    assert said.getvalue().startswith("WRONG: the chain")


@pytest.mark.parametrize(
    "wrong", [["yesterday"], ["2026-02-30"], ["2020-01-01"], ["--rules=klondike"], ["--division=third"], ["--link=5"]]
)
def test_the_command_says_what_it_does_not_understand(daily: DailyDeal, wrong: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("verify_daily", *wrong, stderr=StringIO())


@pytest.mark.django_db(transaction=True)
def test_anyone_can_verify_from_outside_with_one_file(
    live_server: LiveServer, settings: Settings, tmp_path: Path
) -> None:
    settings.PYRAMID_LOG_KEY_FILE = tmp_path / "log_key"
    ensure_dailies(datetime.fromisoformat("2026-03-01T12:00:00+00:00"))
    at = "2026-03-09T00:30:00Z"
    seal_days(datetime.fromisoformat(at))
    sign_log(datetime.fromisoformat(at))
    command = [sys.executable, str(PROJECT / "docs/examples/verify_daily.py"), live_server.url, "--at", at]
    honest = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (honest.returncode, honest.stderr) == (0, "")
    assert "23 leaves in the log, 16 deals of past days checked, 0 mistakes.\n" in honest.stdout
    assert "2 deals WERE COMMITTED TO ONLY WHEN THEIR DAY HAD BEGUN" in honest.stdout
    main = subprocess.run([*command, "2026-03-02", "--division=main"], capture_output=True, text=True, check=False)
    assert "23 leaves in the log, 1 deals of past days checked, 0 mistakes.\n" in main.stdout
    first = DailyDeal.objects.order_by("number")[0]
    with guards_dropped():
        Deal.objects.filter(pk=first.deal_id).update(deck=first.key.deck(bytes(32)).text)
    caught = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert caught.returncode == 1
    assert f"WRONG: the deck of {first} is not the one that its seed leads to" in caught.stdout


def test_a_commitment_that_the_log_does_not_have_and_one_without_a_deal_are_found(daily: DailyDeal) -> None:
    with guards_dropped():
        DailyDeal.objects.filter(pk=daily.pk).update(grade="hard")
    logged = daily.leaf.text
    daily.refresh_from_db()
    found = mistakes_in_chain()
    assert f"the log does not have the commitment to {daily}" in found
    assert f"the log has a commitment without a deal: {logged}" in found
