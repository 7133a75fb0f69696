"""Only a superuser who says why sees what is secret, and all staff can read that it happened."""

from __future__ import annotations

import html
import logging
import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied
from django.test import Client

from games.calendar.models import DailyDeal
from games.days.disclosure import look_at_secrets
from games.play.models import Game
from games.players.models import Player
from tests.calendar import prepared_dailies
from tests.games.doors.test_admin import (
    LOG_OF_ACCESSES,
    alices_game,
    cards_told,
    change_address,
    clock,
    page,
    reviewer,
    superuser,
)

__all__ = ["alices_game", "clock", "reviewer", "superuser"]  # fixtures

REASON = "A player reports a broken deal."
ANSWER = {"reason": REASON, "confirmed": "on"}
# A look changes no other page: tests/secrecy visits all of them.
ABOUT_DEALS = (*(f"/admin/games/{model}/" for model in ("dailydeal", "deal", "game")), LOG_OF_ACCESSES)


@pytest.fixture
def tomorrow(daily: DailyDeal, now: datetime) -> DailyDeal:
    return prepared_dailies(now, days_ahead=1)[0]


@pytest.fixture
def bare_staff(db: None) -> Client:
    """Someone of the staff without a single permission."""
    client = Client()
    client.force_login(Player.objects.create_user(username="newcomer", display_name="Newcomer", is_staff=True))
    return client


def address_of(daily: DailyDeal) -> str:
    return f"/admin/games/dailydeal/{daily.pk}/secrets/"


def tells(text: str, daily: DailyDeal) -> bool:
    return daily.seed in text or daily.deal.deck in text


@pytest.mark.parametrize("method", ["get", "post", "head"])
def test_staff_that_is_no_superuser_is_refused(reviewer: Client, daily: DailyDeal, method: str) -> None:
    assert getattr(reviewer, method)(address_of(daily), ANSWER).status_code == 403
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize("method", ["get", "post"])
def test_players_and_strangers_are_sent_to_the_login(
    client: Client, alice: Player, daily: DailyDeal, method: str
) -> None:
    for _ in range(2):
        response = getattr(client, method)(address_of(daily), ANSWER)
        assert response["Location"].startswith("/admin/login/")
        client.force_login(alice)


def test_looking_at_the_page_shows_the_question_alone(superuser: Client, daily: DailyDeal) -> None:
    text = page(superuser, address_of(daily))
    assert "Say why you need to see them now" in text
    assert not tells(text, daily)
    assert not tells(page(superuser, f"{address_of(daily)}?reason={REASON}&confirmed=on"), daily)
    assert not LogEntry.objects.exists()


def test_an_answer_is_logged_and_shows_seed_and_deck(
    superuser: Client, staff: Player, tomorrow: DailyDeal, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "games"):
        response = superuser.post(address_of(tomorrow), ANSWER)
    text = response.content.decode()
    assert tomorrow.seed in text
    assert tomorrow.deal.deck in text
    assert "no-store" in response["Cache-Control"]
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id, entry.object_repr) == (staff, str(tomorrow.pk), str(tomorrow))
    assert REASON in entry.change_message
    assert [(staff.username in said, REASON in said) for said in caplog.messages] == [(True, True)]
    assert not tells(entry.change_message + entry.object_repr + caplog.text, tomorrow)


def test_every_single_look_is_logged(superuser: Client, daily: DailyDeal) -> None:
    for looks in (1, 2, 3):
        superuser.post(address_of(daily), ANSWER)
        assert LogEntry.objects.count() == looks


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"reason": REASON},
        {"confirmed": "on"},
        {"reason": "because", "confirmed": "on"},
        {"reason": " " * 20, "confirmed": "on"},
        {"reason": "x" * 501, "confirmed": "on"},
        {"reason": "a reason\0with NUL", "confirmed": "on"},
    ],
)
def test_without_a_reason_and_a_confirmation_nothing_is_shown(
    superuser: Client, daily: DailyDeal, answer: dict[str, str]
) -> None:
    assert not tells(superuser.post(address_of(daily), answer).content.decode(), daily)
    assert not LogEntry.objects.exists()


def test_nothing_is_shown_when_it_cannot_be_logged(
    staff: Player, daily: DailyDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no log")

    monkeypatch.setattr(LogEntry, "save", fail)
    with pytest.raises(RuntimeError):
        look_at_secrets(daily, staff, REASON, datetime.now(UTC))


def test_a_page_of_another_site_shows_nothing(staff: Player, daily: DailyDeal) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(staff)
    assert browser.post(address_of(daily), ANSWER).status_code == 403
    assert not LogEntry.objects.exists()


def test_the_service_itself_refuses_anyone_else(alice: Player, staff: Player, daily: DailyDeal) -> None:
    staff.is_active = False
    for someone in (alice, staff):
        with pytest.raises(PermissionDenied):
            look_at_secrets(daily, someone, REASON, datetime.now(UTC))
    assert not LogEntry.objects.exists()


def test_all_staff_reads_the_log_and_players_do_not(
    superuser: Client, bare_staff: Client, client: Client, alice: Player, daily: DailyDeal
) -> None:
    superuser.post(address_of(daily), {**ANSWER, "reason": f"{REASON} <script>"})
    text = page(bare_staff, LOG_OF_ACCESSES)
    assert "staff" in text
    assert str(daily) in text
    assert "<script>" not in text.replace("<script src", "")
    assert REASON in html.unescape(text)
    client.force_login(alice)
    assert client.get(LOG_OF_ACCESSES).status_code == 302


def test_nobody_changes_or_deletes_the_log(superuser: Client, daily: DailyDeal) -> None:
    superuser.post(address_of(daily), ANSWER)
    entry = LogEntry.objects.get()
    for address in (
        f"{LOG_OF_ACCESSES}{entry.pk}/delete/",
        f"{LOG_OF_ACCESSES}{entry.pk}/change/",
        f"{LOG_OF_ACCESSES}add/",
    ):
        assert superuser.post(address, {"post": "yes"}).status_code == 403
    superuser.post(LOG_OF_ACCESSES, {"action": "delete_selected", "_selected_action": entry.pk, "post": "yes"})
    assert LogEntry.objects.filter(pk=entry.pk).exists()


def test_the_log_tells_nothing_of_other_changes(superuser: Client, bare_staff: Client, alice: Player) -> None:
    superuser.post(change_address(alice), {"display_name": "Alicia", "is_active": "on"})
    assert LogEntry.objects.count() == 1
    assert "0 log entries" in page(bare_staff, LOG_OF_ACCESSES)


def pages_about_deals(client: Client) -> dict[str, str]:
    """Follow the links to deals, games and accesses, of each filter one; return the pages by address."""
    pages: dict[str, str] = {}
    waiting = {"/admin/": "/admin/"}
    while waiting:
        filtered, address = waiting.popitem()
        pages[filtered] = page(client, address)
        links = _Links(address)
        links.feed(pages[filtered])
        by_filter = {re.sub(r"=[^&]*", "", link): link for link in sorted(links.inside)}
        waiting |= {key: link for key, link in by_filter.items() if key not in pages}
    return pages


class _Links(HTMLParser):
    """Collects the addresses about deals in the admin that a page links to."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.inside: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        address = urljoin(self.address, dict(attributes).get("href") or "").partition("#")[0]
        if tag == "a" and address.startswith(ABOUT_DEALS) and not re.search(r"&|\?o=", address):
            self.inside.add(address)


@pytest.mark.django_db(transaction=True)
def test_no_other_page_tells_anything_of_deals_that_can_still_be_played_also_after_a_look(
    superuser: Client, reviewer: Client, tomorrow: DailyDeal, alices_game: Game
) -> None:
    for looked_at in (tomorrow, DailyDeal.objects.get(attempts=alices_game)):
        superuser.post(address_of(looked_at), ANSWER)
    seen = {card.text for card in alices_game.record().replay().seen}
    unseen = {card.text for card in alices_game.deck.cards} - seen
    pages = {**pages_about_deals(superuser), f"{address_of(tomorrow)}history": page(reviewer, change_address(tomorrow))}
    assert {address_of(tomorrow), f"/admin/games/dailydeal/{tomorrow.pk}/history/", LOG_OF_ACCESSES} <= set(pages)
    assert {change_address(row) for row in (alices_game, alices_game.deal, *DailyDeal.objects.all())} <= set(pages)
    for address, text in pages.items():
        assert not cards_told(text) & unseen, address
        for daily in DailyDeal.objects.select_related("deal"):
            assert daily.seed not in text.lower(), address
            assert daily.deal.deck[-8:] not in text, address
