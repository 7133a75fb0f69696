"""Reports of clubs: who may, how often, and what reviewers do about them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from games.notifications.models import Notification
from games.players.models import Player
from leaderboards.boards.submission import submit
from leaderboards.clubs.founding import Terms, change, found
from leaderboards.clubs.membership import MOST_CLUBS, join, manage
from leaderboards.clubs.models import Club, ClubDecision, ClubReport, Membership, Outsider, Removal
from leaderboards.clubs.refusals import ClubNameRemoved
from leaderboards.clubs.reporting import decide
from leaderboards.moderation.traces import remember
from leaderboards.reporting.reporting import Choice
from tests.games.api import Api, refusal
from tests.leaderboards.clubs.conftest import EVE, terms
from tests.leaderboards.clubs.test_pages import browser_of
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, Finish, named
from tests.leaderboards.moderation.conftest import ines, robin

__all__ = ["ines", "robin"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]
REASON = ClubDecision.Reason.INSULTING


def removing(club: Club, removed: Removal) -> Choice:
    return Choice(removed, REASON, "Three reports.", club.name, club.description)


def report(club: Club, reporter: Player, about: str = "name") -> Any:
    return Api(reporter).post(f"/api/clubs/{club.pk}/report/", {"about": about, "text": "It insults me."})


# Reports


def test_a_report_stays_open_and_another_one_changes_nothing(club: Club, ines: Player) -> None:
    mallory = named("mallory")
    first = report(club, mallory)
    assert (first.status_code, first.json()["about"]) == (200, "name")
    assert report(club, mallory, "description").json() == first.json()
    decide(club.pk, ines, Choice(Removal.NOTHING, "", "", club.name, club.description), NOON)
    assert report(club, mallory, "description").json()["about"] == "description"
    assert ClubReport.objects.filter(decision=None).count() == 1


def test_guests_and_strangers_report_nothing(club: Club) -> None:
    assert refusal(report(club, named("guest", is_guest=True))) == (409, "guests_report_no_clubs")
    assert refusal(Api().post(f"/api/clubs/{club.pk}/report/", {"about": "name"})) == (401, "not_signed_in")
    assert refusal(Api(named("mallory")).post(f"/api/clubs/{'0' * 12}/report/", {"about": "name"})) == (
        404,
        "unknown_club",
    )
    assert not ClubReport.objects.exists()


def test_tries_are_counted_not_reports(club: Club, settings: Settings) -> None:
    settings.PYRAMID_LIMITS = {**settings.PYRAMID_LIMITS, "reports": (2, 86_400)}
    mallory = named("mallory")
    for _ in range(2):
        Api(mallory).post(f"/api/clubs/{'0' * 12}/report/", {"about": "name"})
    assert report(club, mallory).status_code == 429


def test_a_visitor_reports_on_the_page(club: Club) -> None:
    browser, address = browser_of(named("mallory")), f"/clubs/{club.pk}/report/"
    assert address in browser.get(f"/clubs/{club.pk}/").content.decode()
    assert browser.post(address, {"about": "emblem"}).status_code == 409
    assert "A person will look at it" in browser.post(address, {"about": "name", "text": ""}).content.decode()
    assert Client().post(address, {"about": "name"}).status_code == 302
    assert ClubReport.objects.get().reporter.username == "mallory"


# What is removed


def test_a_removed_name_is_gone_and_no_club_takes_it_again(club: Club, alice: Player, ines: Player) -> None:
    decide(club.pk, ines, removing(club, Removal.NAME), NOON)
    assert Api().get(f"/api/clubs/{club.pk}/").json()["name"] == f"Club {club.pk}"
    assert Notification.objects.get(player=alice, kind="club_removed").facts["reason"] == REASON
    with pytest.raises(ClubNameRemoved):
        change(club.pk, alice, terms("0xbow  CLUB"), NOON)
    with pytest.raises(ClubNameRemoved):
        found(named("mallory"), terms("Oxbow Club"), NOON)
    found(named("frank"), terms(f"Club {club.pk}"), NOON)
    change(club.pk, alice, terms("Red Kites"), NOON)
    assert Api().get(f"/api/clubs/{club.pk}/").json()["name"] == "Red Kites"


def test_a_removed_name_leaves_the_notifications_that_had_it(club: Club, alice: Player, ines: Player) -> None:
    carol, other = named("carol"), found(named("frank"), terms("Red Kites"), NOON)
    manage(club.pk, alice, "invite", "carol", NOON)
    manage(other.pk, Player.objects.get(username="frank"), "invite", "carol", NOON)
    decide(club.pk, ines, removing(club, Removal.NAME), NOON)
    texts = str(Api(carol).get("/api/me/notifications/").json())
    assert "Oxbow" not in texts
    assert f"Club {club.pk}" in texts
    assert "Red Kites" in texts


def test_a_removed_description_leaves_the_name_and_a_club_that_is_kept_keeps_all(club: Club, ines: Player) -> None:
    decide(club.pk, ines, Choice(Removal.NOTHING, "", "", club.name, club.description), NOON)
    assert not Notification.objects.exists()
    decide(club.pk, ines, removing(club, Removal.DESCRIPTION), NOON)
    shown = Api().get(f"/api/clubs/{club.pk}/").json()
    assert (shown["name"], shown["description"]) == ("Oxbow Club", "")
    found(named("mallory"), Terms("Red Kites", "", "sc-blue", "open"), NOON)


def test_a_closed_club_is_gone_and_its_past_stays(
    club: Club, alice: Player, bob: Player, ines: Player, finish: Finish
) -> None:
    carol = named("carol")
    Outsider.objects.create(club=club, player=carol, state="invited", at=NOON)
    submit([finish(bob).pk], NOON)
    decide(club.pk, ines, removing(club, Removal.CLOSE), NOON)
    for address in ("", "notices/", "report/"):
        assert browser_of(bob).get(f"/clubs/{club.pk}/{address}").status_code == 404
    assert Client().get(f"/clubs/join/{club.code}/").status_code == 404
    assert refusal(Api(bob).post(f"/api/clubs/{club.pk}/join/", {})) == (404, "unknown_club")
    assert refusal(report(club, bob)) == (404, "unknown_club")
    for player in (alice, carol):
        assert Api(player).get("/api/me/clubs/").json() == {"clubs": []}
    assert Membership.objects.filter(club=club, left_at=NOON).count() == 2
    table = Api().get(f"/api/clubs/{club.pk}/boards/{FEWEST_MOVES}/").json()["rows"]
    assert [row["player"]["handle"] for row in table] == ["bob"]
    page = browser_of(alice).get("/account/notifications/").content.decode()
    assert "Reviewers have closed your club. It insults or threatens people." in page


def test_a_closed_club_takes_no_room_of_its_members(club: Club, bob: Player, ines: Player) -> None:
    for number in range(MOST_CLUBS - 1):
        join(found(named(f"owner-{number}"), terms(f"Club {number}"), EVE).pk, bob, EVE)
    decide(club.pk, ines, removing(club, Removal.CLOSE), NOON)
    join(found(named("owner"), terms("One more"), EVE).pk, bob, NOON)


def test_a_decision_stays(club: Club, ines: Player) -> None:
    made = decide(club.pk, ines, removing(club, Removal.NAME), NOON)
    assert (made.by, made.at, made.reason, made.name) == (ines, NOON, REASON, "Oxbow Club")
    for change_it in (made.delete, lambda: ClubDecision.objects.update(text="")):
        with pytest.raises(DatabaseError), transaction.atomic():
            change_it()


# The desk

CHOICE = {"removed": "name", "reason": "insulting", "text": "", "name": "Oxbow Club"}


def test_a_reviewer_reads_the_reports_and_decides(club: Club, ines: Player) -> None:
    report(club, named("mallory"))
    browser, address = browser_of(ines), f"/admin/review/clubs/{club.pk}/"
    assert "Reported clubs" in browser.get("/admin/").content.decode()
    assert address in browser.get("/admin/review/clubs/").content.decode()
    page = browser.get(address).content.decode()
    assert "It insults me." in page
    assert "mallory" not in page.lower()
    choice = {**CHOICE, "description": club.description}
    for wrong in ({"removed": "all"}, {"reason": ""}, {"removed": "nothing"}, {"text": "x" * 501}, {"name": "Other"}):
        assert browser.post(address, {**choice, **wrong}).status_code in {400, 409}
    assert not ClubDecision.objects.exists()
    assert browser.post(address, choice)["Location"] == "/admin/review/clubs/"
    page = browser.get("/admin/review/clubs/").content.decode()
    assert "Nothing is waiting here" in page
    assert "It insults or threatens people." in page


def test_clubs_are_found_by_name_and_identifier(club: Club, ines: Player) -> None:
    for term in ("oxb", club.pk):
        assert "Oxbow Club" in browser_of(ines).get("/admin/review/clubs/", {"club": term}).content.decode()
    assert "Oxbow" not in browser_of(ines).get("/admin/review/clubs/", {"club": "kites"}).content.decode()


def test_a_reviewer_decides_about_no_club_of_an_account_that_may_be_the_reviewers(
    club: Club, bob: Player, ines: Player, robin: Player
) -> None:
    report(club, named("mallory"))
    remember([(ines.pk, "", "a tablet"), (bob.pk, "", "a tablet")], NOON)
    address, choice = f"/admin/review/clubs/{club.pk}/", {**CHOICE, "description": club.description}
    assert address not in browser_of(ines).get("/admin/review/clubs/").content.decode()
    assert browser_of(ines).get(address).status_code == 404
    assert browser_of(ines).post(address, choice).status_code == 404
    assert address in browser_of(robin).get("/admin/review/clubs/").content.decode()


def test_only_reviewers_open_the_desk(club: Club, alice: Player) -> None:
    for address in ("/admin/review/clubs/", f"/admin/review/clubs/{club.pk}/"):
        assert browser_of(alice).get(address).status_code == 302
        assert browser_of(Player.objects.create(username="clerk", is_staff=True)).get(address).status_code == 403
        Player.objects.filter(username="clerk").delete()


def test_the_list_takes_as_many_queries_for_any_number_of_clubs(club: Club, ines: Player) -> None:
    browser, mallory = browser_of(ines), named("mallory")
    counted = []
    browser.get("/admin/review/clubs/")
    for number in range(2):
        for other in range(number * 9):
            each = found(named(f"owner-{other}"), terms(f"Club {other}"), EVE)
            ClubReport.objects.create(club=each, reporter=mallory, about="name", at=NOON + timedelta(minutes=other))
            decide(each.pk, ines, removing(each, Removal.DESCRIPTION), NOON)
            ClubReport.objects.create(club=each, reporter=mallory, about="name", at=NOON)
        with CaptureQueriesContext(connection) as queries:
            browser.get("/admin/review/clubs/")
        counted.append(len(queries))
    assert counted[0] == counted[1] <= 8
