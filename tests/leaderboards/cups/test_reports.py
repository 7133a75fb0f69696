"""Reports of tournaments by hand: who may, how often, and what reviewers do about their names."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from pytest_django.fixtures import Settings

from games.cups.hosting import Terms, announce
from games.cups.models import Cup
from games.cups.reading import read_cup
from games.cups.refusals import CupNameRemoved
from games.cups.signups import sign_up
from games.notifications.models import Notification
from games.personal_data.erasure import erase_player
from games.players.models import Player
from leaderboards.clubs.founding import Terms as ClubTerms
from leaderboards.clubs.founding import found
from leaderboards.clubs.membership import join
from leaderboards.cups.models import CupDecision, CupRemoval, CupReport
from leaderboards.cups.reporting import decide
from leaderboards.moderation.traces import remember
from leaderboards.reporting.reporting import Choice
from tests.games.api import Api, refusal
from tests.leaderboards.clubs.test_pages import browser_of
from tests.leaderboards.conftest import NOON, named
from tests.leaderboards.moderation.conftest import ines, robin
from tests.leaderboards.test_holdings import copy_of

__all__ = ["ines", "robin"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]
REMOVE = Choice(CupRemoval.NAME, "insulting", "Three reports.", "Oxbow Open")
KEEP = Choice(CupRemoval.NOTHING, "", "Tea is welcome.", "Oxbow Open")
FORM = {"removed": "name", "reason": "insulting", "text": "", "name": "Oxbow Open"}


def open_terms(name: str = "Oxbow Open", circle: str = "") -> Terms:
    return Terms(name, "standard", NOON + timedelta(hours=1), circle=circle)


@pytest.fixture
def cup(alice: Player) -> Cup:
    """A tournament that alice organises."""
    return announce(alice, open_terms(), NOON)


def report(cup_id: str, reporter: Player) -> Any:
    return Api(reporter).post(f"/api/cups/{cup_id}/report/", {"text": "It insults me."})


# Reports


def test_a_report_stays_open_and_another_one_changes_nothing(cup: Cup, bob: Player, ines: Player) -> None:
    assert report(cup.pk, bob).json() == report(cup.pk, bob).json() == {"at": "2026-11-20T12:00:00Z"}
    decide(cup.pk, ines, KEEP, NOON)
    assert report(cup.pk, bob).status_code == 200
    assert (CupReport.objects.count(), CupReport.objects.filter(decision=None).count()) == (2, 1)


def test_guests_strangers_and_players_who_do_not_see_it_report_nothing(cup: Cup, alice: Player, bob: Player) -> None:
    club = found(alice, ClubTerms("Oxbow Club", "", "sc-blue", "open"), NOON)
    hidden = announce(alice, open_terms(circle=club.pk), NOON)
    programme = Cup.objects.create(
        rules="relaxed", for_bots=False, announced_for=NOON, opens_at=NOON, qualify_s=900, limit_s=600
    )
    assert refusal(report(cup.pk, named("guest", is_guest=True))) == (409, "guests_report_no_cups")
    assert refusal(Api().post(f"/api/cups/{cup.pk}/report/", {})) == (401, "not_signed_in")
    for other in (hidden.pk, programme.pk, "0" * 12):
        assert refusal(report(other, bob)) == (404, "unknown_cup")
        assert browser_of(bob).get(f"/cups/{other}/report/").status_code == 404
    assert not CupReport.objects.exists()
    assert report(hidden.pk, alice).status_code == 200


def test_tries_are_counted_not_reports(cup: Cup, bob: Player, settings: Settings) -> None:
    settings.PYRAMID_LIMITS = {**settings.PYRAMID_LIMITS, "reports": (2, 86_400)}
    for _ in range(2):
        report("0" * 12, bob)
    assert report(cup.pk, bob).status_code == 429


def test_a_visitor_reports_on_the_page(cup: Cup, bob: Player) -> None:
    browser, address = browser_of(bob), f"/cups/{cup.pk}/report/"
    assert address in browser.get(f"/cups/{cup.pk}/").content.decode()
    assert browser.post(address, {"text": "x" * 501}).status_code == 409
    assert "A person will look at it" in browser.post(address, {"text": "It insults me."}).content.decode()
    assert Client().post(address, {}).status_code == 302
    assert CupReport.objects.get().reporter == bob


# What is removed


def test_a_removed_name_is_gone_at_once_and_nobody_gives_it_again(cup: Cup, bob: Player, ines: Player) -> None:
    assert read_cup(cup.pk, 1).cup.name == "Oxbow Open"
    with transaction.atomic():
        decide(cup.pk, ines, REMOVE, NOON)
    cup.refresh_from_db()
    assert cup.name == f"Tournament {cup.pk}"
    for name in ("Oxbow Open", "0xbow  OPEN"):
        with pytest.raises(CupNameRemoved):
            announce(bob, open_terms(name), NOON)
    announce(bob, open_terms("Red Kites"), NOON)


@pytest.mark.django_db(transaction=True)
def test_readers_do_not_wait_for_a_name_to_go(cup: Cup, ines: Player) -> None:
    assert Api().get(f"/api/cups/{cup.pk}/").json()["name"] == "Oxbow Open"
    decide(cup.pk, ines, REMOVE, NOON)
    assert Api().get(f"/api/cups/{cup.pk}/").json()["name"] == f"Tournament {cup.pk}"


def test_the_organiser_reads_why_and_a_name_that_is_kept_notifies_nobody(cup: Cup, alice: Player, ines: Player) -> None:
    decide(cup.pk, ines, KEEP, NOON)
    assert not Notification.objects.exists()
    decide(cup.pk, ines, REMOVE, NOON)
    page = browser_of(alice).get("/account/notifications/").content.decode()
    assert "Reviewers have removed the name of your tournament. It insults or threatens people." in page


def test_nobody_is_notified_of_a_tournament_whose_organiser_is_gone(cup: Cup, alice: Player, ines: Player) -> None:
    Cup.objects.filter(pk=cup.pk).update(host=None)
    decide(cup.pk, ines, REMOVE, NOON)
    assert not Notification.objects.exists()


def test_a_decision_stays_and_a_tournament_takes_no_name_but_its_identifier(cup: Cup, ines: Player) -> None:
    made = decide(cup.pk, ines, REMOVE, NOON)
    assert (made.by, made.at, made.reason, made.name) == (ines, NOON, "insulting", "Oxbow Open")
    changes = (
        made.delete,
        lambda: CupDecision.objects.update(text=""),
        lambda: Cup.objects.update(name="Red Kites"),
    )
    for change_it in changes:
        with pytest.raises(DatabaseError), transaction.atomic():
            change_it()


# The desk


def test_a_reviewer_reads_the_reports_and_decides(cup: Cup, bob: Player, ines: Player) -> None:
    report(cup.pk, bob)
    browser, address = browser_of(ines), f"/admin/review/cups/{cup.pk}/"
    assert "Reported tournaments" in browser.get("/admin/").content.decode()
    assert address in browser.get("/admin/review/cups/").content.decode()
    page = browser.get(address).content.decode()
    assert "It insults me." in page
    assert "bob" not in page.lower()
    for wrong in ({"removed": "close"}, {"reason": ""}, {"removed": "nothing"}, {"text": "x" * 501}, {"name": "Other"}):
        assert browser.post(address, {**FORM, **wrong}).status_code in {400, 409}
    assert not CupDecision.objects.exists()
    assert browser.post(address, FORM)["Location"] == "/admin/review/cups/"
    page = browser.get("/admin/review/cups/").content.decode()
    assert "Nothing is waiting here" in page
    assert "It insults or threatens people." in page
    assert address in browser.get("/admin/review/cups/", {"cup": cup.pk}).content.decode()


@pytest.mark.parametrize("part", ["organises", "signs up", "is in the club"])
def test_a_reviewer_decides_about_no_tournament_of_an_account_that_may_be_the_reviewers(
    cup: Cup, alice: Player, bob: Player, ines: Player, robin: Player, part: str
) -> None:
    own = alice if part == "organises" else bob
    if part == "signs up":
        sign_up(cup.pk, bob, NOON)
    elif part == "is in the club":
        club = found(alice, ClubTerms("Oxbow Club", "", "sc-blue", "open"), NOON)
        join(club.pk, bob, NOON)
        cup = announce(alice, open_terms(circle=club.pk), NOON)
    report(cup.pk, alice)
    remember([(ines.pk, "", "a tablet"), (own.pk, "", "a tablet")], NOON)
    address = f"/admin/review/cups/{cup.pk}/"
    assert address not in browser_of(ines).get("/admin/review/cups/").content.decode()
    assert browser_of(ines).get(address).status_code == 404
    assert browser_of(ines).post(address, FORM).status_code == 404
    assert address in browser_of(robin).get("/admin/review/cups/").content.decode()


def test_only_reviewers_open_the_desk(cup: Cup, alice: Player) -> None:
    clerk = Player.objects.create(username="clerk", is_staff=True)
    for address in ("/admin/review/cups/", f"/admin/review/cups/{cup.pk}/"):
        assert browser_of(alice).get(address).status_code == 302
        assert browser_of(clerk).get(address).status_code == 403


# What is kept


def test_copies_have_reports_and_decisions_and_a_deleted_account_leaves_no_report(
    cup: Cup, bob: Player, ines: Player
) -> None:
    report(cup.pk, bob)
    decide(cup.pk, ines, KEEP, NOON)
    assert [row["text"] for row in copy_of(bob)["cupreport.reporter"]["rows"]] == ["It insults me."]
    assert [row["text"] for row in copy_of(ines)["cupdecision.by"]["rows"]] == ["Tea is welcome."]
    assert "Tea is welcome." not in str(copy_of(bob))
    for player in (bob, ines):
        erase_player(player, "asked for", None, NOON)
    assert (CupReport.objects.count(), CupDecision.objects.count()) == (0, 1)
