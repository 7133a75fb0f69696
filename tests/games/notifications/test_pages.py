"""Notifications as a page: what is new, a mark in the header, and the kinds that a player wants."""

from __future__ import annotations

import re
from datetime import datetime
from urllib.parse import urlencode

import pytest
from django.test import Client

from games.notifications import notifications
from games.notifications.models import Notification
from games.notifications.notifications import NotificationKind, muted_by, notify
from games.players.models import Player

FRIEND = NotificationKind(
    "friend", "New friends", lambda facts: f"{facts['name']} is your friend.", lambda facts: "/players/x/"
)
LAW = NotificationKind("law", "The law", lambda facts: "There is a law.", is_optional=False)
PAGE = "/account/notifications/"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "_kinds", {kind.code: kind for kind in (FRIEND, LAW)})


@pytest.fixture
def browser(alice: Player) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def text(client: Client, path: str = PAGE) -> str:
    return client.get(path).content.decode()


def mark_of(page: str) -> tuple[str, str]:
    """Return the attribute that hides the mark in the header, if it is hidden, and its number."""
    found = re.search(rf'<a class="unread" id="unread" href="{PAGE}"( hidden)?>(\d+)<span', page)
    assert found is not None
    return found[1] or "", found[2]


def befriend(player: Player, now: datetime, *others: str) -> None:
    for other in others:
        notify(FRIEND, {player.pk: {"name": other}}, other, now)


def test_the_header_counts_what_is_unread_until_it_is_read(browser: Client, alice: Player, now: datetime) -> None:
    assert mark_of(text(browser, "/rules/")) == (" hidden", "0")
    befriend(alice, now, "Carol", "<b>Dave</b>")
    assert mark_of(text(browser, "/rules/")) == ("", "2")
    shown = text(browser)
    oldest = Notification.objects.earliest("pk").pk
    assert f'<b>New:</b> <a href="/players/x/" data-notification="{oldest}">Carol is your friend.</a>' in shown
    assert "&lt;b&gt;Dave&lt;/b&gt; is your friend." in shown
    newest = Notification.objects.latest("pk").pk
    assert browser.post(PAGE, {"read": str(newest)}).status_code == 303
    assert "<b>New:</b>" not in text(browser)
    assert mark_of(text(browser)) == (" hidden", "0")
    assert "data-notification" not in text(browser)


def test_visitors_without_an_account_have_no_mark_and_no_script_for_it() -> None:
    page = text(Client(), "/rules/")
    assert 'class="unread"' not in page
    assert "news" not in page


@pytest.mark.parametrize("read", ["", "-1", "x", "9" * 40, "\u00b2"])
def test_nonsense_marks_nothing_as_read(browser: Client, alice: Player, now: datetime, read: str) -> None:
    befriend(alice, now, "Carol")
    assert browser.post(PAGE, {"read": read}).status_code == 303
    assert Notification.objects.filter(read_at=None).count() == 1
    assert browser.get(PAGE, {"before": read}).status_code == 200


def test_kinds_are_switched_off_and_on_but_not_those_that_always_come(browser: Client, alice: Player) -> None:
    assert browser.post(PAGE, {"kinds": "save"}).status_code == 303
    assert muted_by(alice) == {"friend"}
    assert "Your choice is saved." in text(browser)
    browser.post(PAGE, {"kinds": "save", "kind": ["friend", "nonsense"]})
    assert muted_by(alice) == set()


def test_more_than_fifty_come_in_pages(browser: Client, alice: Player, now: datetime) -> None:
    befriend(alice, now, *(f"friend {number}" for number in range(51)))
    oldest = Notification.objects.order_by("-pk")[49].pk
    assert f'href="?before={oldest}"' in text(browser)
    rest = text(browser, f"{PAGE}?before={oldest}")
    assert "friend 0 is" in rest
    assert "friend 1 is" not in rest


def test_only_players_have_notifications(db: None) -> None:
    answer = Client().get(PAGE)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/account/sign-in/?{urlencode({'next': PAGE})}")
