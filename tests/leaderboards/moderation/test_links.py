"""Accounts are linked by keyed hashes of what they share, the weaker the more share it; nothing leads back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import OperationalError
from django.test import Client
from rest_framework.test import APIClient

from games.personal_data.erasure import erase_player
from games.players import devices
from games.players.models import Player
from leaderboards import listeners
from leaderboards.boards.submission import submit
from leaderboards.moderation import links, traces
from leaderboards.moderation.evidence_models import ExaminedDeal, Trace
from tests.games.api import Api
from tests.leaderboards.conftest import NOON, Finish, named

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _told_nothing_yet() -> Iterator[None]:
    devices._reported.clear()
    yield
    devices._reported.clear()


def seen_at(address: str, *players: Player, device: str = "") -> None:
    traces.remember([(player.pk, address, device) for player in players], NOON)


def plays_for_days(finish: Finish, *players: Player, days: int = links.RANKED_DAYS) -> None:
    """Give players ranked scores of some days."""
    for number in range(days):
        submit([finish(player, days=number).pk for player in players], NOON + number * DAY)


def test_two_at_one_address_are_linked_and_a_school_is_not_a_person(alice: Player, bob: Player, finish: Finish) -> None:
    seen_at("192.0.2.1", alice, bob)
    assert links.linked_to(alice.pk) == {bob.pk: 0.5}
    pupils = [named(f"pupil-{number}", is_guest=True) for number in range(48)]
    seen_at("192.0.2.1", *pupils)
    plays_for_days(finish, alice, bob, *pupils)
    assert links.linked_to(alice.pk)[bob.pk] == 1 / 50
    assert bob.pk not in links.firmly_linked_to(alice.pk)
    one_more = named("one-more")
    seen_at("192.0.2.1", one_more)
    plays_for_days(finish, one_more)
    assert links.linked_to(alice.pk) == {}


def test_accounts_that_won_on_two_days_alone_weaken_no_link(alice: Player, bob: Player, finish: Finish) -> None:
    seen_at("192.0.2.1", alice, bob)
    guests = [named(f"guest-{number}", is_guest=True) for number in range(4)]
    seen_at("192.0.2.1", *guests)
    plays_for_days(finish, *guests, days=2)
    assert links.linked_to(alice.pk)[bob.pk] == 0.5
    assert links.firm_pairs([({alice.pk, bob.pk}, [])]) == [{(alice.pk, bob.pk)}]


def test_throw_away_guests_and_whoever_comes_later_weaken_no_link(alice: Player, bob: Player, finish: Finish) -> None:
    seen_at("192.0.2.1", alice, bob, device="a tablet")
    guests = [named(f"guest-{number}", is_guest=True) for number in range(60)]
    seen_at("192.0.2.1", *guests, device="a tablet")
    assert links.linked_to(alice.pk)[bob.pk] == 1.0
    later = [named(f"later-{number}") for number in range(5)]
    for player in later:
        traces.remember([(player.pk, "192.0.2.1", "")], NOON + DAY)
    plays_for_days(finish, *later)
    network = links._sharing([alice.pk])["address", traces.mark_of("address", "192.0.2.1")]
    assert network.link(alice.pk, bob.pk) == 0.5
    assert network.link(alice.pk, later[0].pk) == 1 / 6  # five and Alice


def test_reports_from_one_address_count_once_however_many_share_it(alice: Player, bob: Player, finish: Finish) -> None:
    guests = [named(f"guest-{number}", is_guest=True) for number in range(5)]
    seen_at("192.0.2.1", *guests)
    plays_for_days(finish, *guests, days=1)
    traces.remember([(guests[0].pk, "192.0.2.9", "")], NOON)  # who moves on takes the others along
    seen_at("192.0.2.9", bob)
    assert links.independent([guest.pk for guest in guests]) == 1
    assert links.independent([alice.pk, bob.pk, *(guest.pk for guest in guests)]) == 2


def test_a_network_of_the_new_protocol_is_one_address(alice: Player, bob: Player, robot: Player) -> None:
    seen_at("2001:db8::1", alice)
    seen_at("2001:db8::ffff:2", bob)
    seen_at("2001:db8:1::1", robot)
    assert set(links.linked_to(alice.pk)) == {bob.pk}


def test_the_networks_of_one_site_are_one_for_reports_and_reviewers(alice: Player, bob: Player, robot: Player) -> None:
    seen_at("2001:db8::1", alice)
    seen_at("2001:db8:0:ffff::1", bob)
    seen_at("2001:db8:1::1", robot)
    assert links.linked_to(alice.pk) == {bob.pk: 0.5}
    assert links.independent([alice.pk, bob.pk, robot.pk]) == 2
    assert [account.shares for account in links.linked_accounts(alice)] == [("site",)]


def test_a_shared_device_weighs_more_than_a_shared_address(alice: Player, bob: Player) -> None:
    seen_at("192.0.2.1", alice, bob, device="a tablet")
    (linked,) = links.linked_accounts(alice)
    assert (linked.player, linked.strength, linked.shares, linked.network) == (bob, 1.0, ("address", "device"), 2)


def test_a_bot_its_owner_and_the_owners_other_bots_are_linked_as_by_a_device(
    alice: Player, bob: Player, robot: Player
) -> None:
    first, second = (named(f"bot-{number}", is_bot=True, owner=alice) for number in range(2))
    assert links.linked_to(alice.pk) == {first.pk: 1.0, second.pk: 1.0}
    assert links.firmly_linked_to(first.pk) == {alice.pk, second.pk}
    assert links.linked_to(robot.pk) == links.linked_to(bob.pk) == {}
    assert links.independent([alice.pk, first.pk, second.pk, bob.pk, robot.pk]) == 3
    linked = links.linked_accounts(first)
    assert [(each.player, each.shares, each.network) for each in linked] == [
        (alice, ("owner",), 3),
        (second, ("owner",), 3),
    ]
    erase_player(alice, "asked for", None, NOON)
    assert links.linked_to(first.pk) == {}


def test_nothing_that_is_kept_leads_back_to_an_address(alice: Player) -> None:
    seen_at("192.0.2.1", alice, device="a tablet")
    kept = str(list(Trace.objects.values()))
    assert "192.0.2" not in kept
    assert "tablet" not in kept
    assert traces.mark_of("address", "192.0.2.1") != traces.mark_of("device", "192.0.2.1")


def test_the_hashes_are_of_this_server_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    here = traces.mark_of("address", "192.0.2.1")
    monkeypatch.setattr(settings, "SECRET_KEY", "another server's key, long enough to be one of them")
    assert traces.mark_of("address", "192.0.2.1") != here


def test_what_was_not_seen_for_long_is_deleted_and_what_is_seen_stays(alice: Player, bob: Player) -> None:
    seen_at("192.0.2.1", alice, bob)
    traces.remember([(bob.pk, "192.0.2.1", "")], NOON + 90 * DAY)
    assert traces.forget_old_traces(NOON + 90 * DAY) == 0
    assert traces.forget_old_traces(NOON + 91 * DAY) == 1
    assert Trace.objects.get().player == bob


def test_a_deleted_account_leaves_no_traces(alice: Player) -> None:
    seen_at("192.0.2.1", alice)
    erase_player(alice, "asked for it", None, NOON)
    assert not Trace.objects.exists()


def test_a_scout_who_deletes_the_account_stays_linked_until_the_day_is_examined_and_final(
    alice: Player, bob: Player, finish: Finish
) -> None:
    seen_at("192.0.2.1", alice, bob)
    game = finish(alice)
    erase_player(alice, "asked for it", None, NOON)
    assert links.linked_to(bob.pk) == {alice.pk: 0.5}
    daily = game.daily
    assert daily is not None
    assert traces.forget_old_traces(daily.key.final_at) == 0  # nobody has examined it yet
    ExaminedDeal.objects.create(daily=daily, at=daily.key.finish_by)
    assert traces.forget_old_traces(daily.key.final_at - timedelta(seconds=1)) == 0
    assert traces.forget_old_traces(daily.key.final_at) == 1
    assert links.linked_to(bob.pk) == {}


def test_a_bot_that_has_scouted_stays_linked_to_the_owner_who_deletes_it(alice: Player, finish: Finish) -> None:
    scout, other = (named(handle, is_bot=True, owner=alice) for handle in ("scout", "other"))
    finish(scout)
    for bot in (scout, other):
        erase_player(bot, "the owner deleted the bot", None, NOON)
    assert links.linked_to(alice.pk) == {scout.pk: 1.0}
    assert [account.shares for account in links.linked_accounts(alice)] == [("owner",)]


def test_visits_that_are_reported_together_leave_each_trace_once_and_none_of_closed_accounts(
    alice: Player, bob: Player
) -> None:
    carol = named("carol", is_active=False)
    network = "192.0.2.1"
    traces.remember(
        [
            (alice.pk, network, "a tablet"),
            (alice.pk, network, "a phone"),
            (bob.pk, network, ""),
            (carol.pk, network, ""),
        ],
        NOON,
    )
    kept = sorted(Trace.objects.values_list("player", "kind"))
    assert kept == sorted([(alice.pk, "address"), (alice.pk, "device"), (alice.pk, "device"), (bob.pk, "address")])


def test_the_privacy_page_says_how_long_traces_outlive_a_deleted_account(client: Client) -> None:
    assert "until the day of that game is examined and final" in client.get("/privacy/").text


def test_an_account_that_is_deleted_by_this_very_request_leaves_none_either(alice: Player) -> None:
    browser = Client(REMOTE_ADDR="192.0.2.7")
    alice.is_guest, alice.password = True, make_password(None)
    alice.save()
    browser.force_login(alice)
    browser.get("/account/")
    devices._reported.clear()  # as another process, or this one on another day
    assert "Your account is deleted" in browser.post("/account/delete/", {"confirm": "on"}).text
    assert not Trace.objects.exists()


def test_a_browser_with_a_session_gets_a_mark_that_scripts_cannot_read(alice: Player) -> None:
    browser = Client(REMOTE_ADDR="192.0.2.7")
    assert devices.COOKIE not in browser.get("/").cookies
    browser.force_login(alice)
    cookie = browser.get("/account/").cookies[devices.COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 90 * 24 * 60 * 60)
    assert devices.COOKIE not in browser.get("/account/").cookies
    assert {trace.kind for trace in Trace.objects.filter(player=alice)} == {"address", "device"}


def test_a_client_with_a_token_needs_no_mark_and_is_known_by_its_address(alice: Player, bob: Player) -> None:
    for player in (alice, bob):
        assert devices.COOKIE not in Api(player).get("/api/me/", REMOTE_ADDR="192.0.2.8").cookies
    assert links.linked_to(alice.pk) == {bob.pk: 0.5}
    assert set(Trace.objects.values_list("kind", flat=True)) == {"address"}


def test_a_program_with_a_token_links_its_player_to_no_account_by_its_mark(alice: Player, mallory: Player) -> None:
    browser = Client(REMOTE_ADDR="192.0.2.7")
    browser.force_login(mallory)
    browser.get("/account/")
    app = Api(alice)
    for names in ([devices.COOKIE], list(browser.cookies)):  # the mark alone, and with the session of mallory
        app.cookies.load({name: browser.cookies[name].value for name in names})
        assert app.get("/api/me/", REMOTE_ADDR="192.0.2.8").json()["handle"] == alice.username
    assert not links.linked_to(alice.pk)
    assert {trace.kind for trace in Trace.objects.filter(player=alice)} == {"address"}


def test_a_trace_that_the_database_did_not_take_is_stored_at_the_next_visit(
    alice: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_off(*args: object) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    with monkeypatch.context() as away:
        away.setattr(listeners, "remember", break_off)
        assert Api(alice).get("/api/me/", REMOTE_ADDR="192.0.2.8").status_code == 200
    assert not Trace.objects.exists()
    assert [record.exc_info for record in caplog.records if "at the next visit" in record.message] == [None]
    Api(alice).get("/api/me/", REMOTE_ADDR="192.0.2.8")
    assert Trace.objects.filter(player=alice).exists()


def test_this_machine_s_own_address_links_nobody(alice: Player, bob: Player) -> None:
    for player in (alice, bob):
        for address in ("127.0.0.1", "::1", ""):
            Api(player).get("/api/me/", REMOTE_ADDR=address)
    assert not Trace.objects.exists()


def test_a_mark_that_is_none_of_ours_is_not_kept(alice: Player) -> None:
    client = APIClient()
    client.force_login(alice)
    client.cookies[devices.COOKIE] = "x" * 5000
    client.get("/api/me/")
    assert Trace.objects.filter(kind="device").count() == 1
    assert traces.mark_of("device", "x" * 5000) not in Trace.objects.values_list("mark", flat=True)


def test_a_place_is_told_once_a_day(alice: Player) -> None:
    for day in (NOON, NOON, NOON + DAY):
        with time_machine.travel(day, tick=False):
            Api(alice).get("/api/me/", REMOTE_ADDR="192.0.2.1")
    (trace,) = Trace.objects.all()
    assert (trace.first_seen, trace.last_seen) == (NOON.date(), (NOON + DAY).date())
