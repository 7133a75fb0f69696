from __future__ import annotations

import html
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from games.calendar.certificates import make_deals
from games.deals.grading import Grade
from games.play.models import Game
from games.play.starting import start_practice, start_ranked
from games.players.models import Player
from games.rules import RULE_SETS
from tests.games.ways_to_play import commit, open_session

pytestmark = pytest.mark.usefixtures("db")
SECOND = timedelta(seconds=1)
ANY = {"rules": "giza", "winnable": "any", "grade": ""}
HARD = {"rules": "standard", "winnable": "certified", "grade": "hard"}


@pytest.fixture(autouse=True)
def clock(now: datetime) -> Iterator[time_machine.Traveller]:
    """The time, which stands still until a test moves it."""
    with time_machine.travel(now, tick=False) as traveller:
        yield traveller


@pytest.fixture
def as_alice(client: Client, alice: Player) -> Client:
    client.force_login(alice)
    return client


def text_of(response: object) -> str:
    return html.unescape(response.content.decode())  # type: ignore[attr-defined]


def test_the_page_offers_every_rule_set_and_grade(client: Client) -> None:
    text = text_of(client.get("/practice/"))
    assert all(f'value="{slug}"' in text for slug in [*RULE_SETS, *Grade, "any", "certified"])


def test_a_stranger_plays_at_once_as_a_guest(client: Client) -> None:
    response = client.post("/practice/", ANY)
    game = Game.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"/games/{game.id}/#deal")
    assert game.player.is_guest
    assert client.get(f"/games/{game.id}/").status_code == 200


def test_strangers_from_one_address_are_limited(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "guests", (1, 3600))
    client.post("/practice/", ANY)
    response = Client().post("/practice/", ANY)
    assert response.status_code == 429
    assert "Too many attempts" in text_of(response)
    assert Game.objects.count() == 1


def test_alice_starts_a_game_and_is_told_its_socket(as_alice: Client, alice: Player) -> None:
    response = as_alice.post("/practice/", ANY)
    game = Game.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"/games/{game.id}/#deal")
    assert (game.player, game.deal.rules, game.started_at) == (alice, "giza", None)
    assert f"/ws/games/{game.id}/" in text_of(as_alice.get(f"/games/{game.id}/"))


def test_alice_gets_a_certified_deal_of_her_grade(as_alice: Client, now: datetime) -> None:
    (stock,) = make_deals(RULE_SETS["standard"], 1, Grade.HARD, now)
    as_alice.post("/practice/", HARD)
    assert Game.objects.get().deal == stock


def test_a_tap_on_rules_deals_a_winnable_deal_where_there_can_be_one(as_alice: Client, now: datetime) -> None:
    (stock,) = make_deals(RULE_SETS["giza"], 1, None, now)
    as_alice.post("/practice/", {"rules": "giza"})
    game = Game.objects.get()
    assert game.deal == stock
    assert "This deal can be won." in text_of(as_alice.get(f"/games/{game.id}/"))


@pytest.mark.parametrize("rules", ["two-pyramids", "giza"])
def test_where_no_winnable_deal_is_in_stock_a_known_one_is_dealt(as_alice: Client, rules: str) -> None:
    as_alice.post("/practice/", {"rules": rules, "winnable": "certified"})
    game = Game.objects.get()
    assert (game.deal.rules, game.deal.is_winnable) == (rules, True)
    assert "This deal can be won." in text_of(as_alice.get(f"/games/{game.id}/"))


def test_any_deal_does_not_claim_to_be_winnable(as_alice: Client) -> None:
    as_alice.post("/practice/", ANY)
    assert "Nobody has proved that this deal can be won." in text_of(as_alice.get(f"/games/{Game.objects.get().id}/"))


def test_the_table_of_practice_has_buttons_for_a_restart_and_a_new_deal(as_alice: Client) -> None:
    as_alice.post("/practice/", ANY)
    game = Game.objects.get()
    tools = text_of(as_alice.get(f"/games/{game.id}/")).partition('<nav class="tools"')[2].partition("</nav>")[0]
    assert f'action="/games/{game.id}/again/" data-ends-game' in tools
    assert 'action="/practice/" data-ends-game' in tools


@pytest.mark.parametrize(
    ("wish", "complaint"),
    [
        ({**HARD, "winnable": "any"}, "Only deals that are proved winnable have a grade"),
        ({**HARD, "rules": "two-pyramids"}, "takes too long to prove"),
        ({**HARD, "rules": "klondike"}, "Select a valid choice"),
        ({**HARD, "winnable": "perhaps"}, "Select a valid choice"),
    ],
)
def test_a_wish_that_makes_no_sense_is_explained(as_alice: Client, wish: dict[str, str], complaint: str) -> None:
    assert complaint in text_of(as_alice.post("/practice/", wish))
    assert not Game.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_new_deal_takes_the_place_of_an_unfinished_game_without_moves_or_else_of_the_oldest(
    as_alice: Client, alice: Player, settings: Settings, now: datetime
) -> None:
    settings.PYRAMID_OPEN_PRACTICE_GAMES = 3
    oldest, untouched, newest = (start_practice(alice, "giza", now + number * SECOND) for number in range(3))
    for game in (oldest, newest):
        commit(open_session(game, now).act(open_session(game, now).play.legal_moves[0], 0, now))
    given_up = Game.objects.filter(status=Game.Status.RESIGNED)
    as_alice.post("/practice/", ANY)
    assert set(given_up) == {untouched}
    third = Game.objects.exclude(pk__in=[oldest.pk, untouched.pk, newest.pk]).get()
    commit(open_session(third, now).act(open_session(third, now).play.legal_moves[0], 0, now))
    as_alice.post(f"/games/{untouched.pk}/again/")
    assert set(given_up.all()) == {untouched, oldest}
    assert Game.objects.filter(status=Game.Status.PLAYING).count() == 3


def test_a_page_of_another_site_starts_nothing(alice: Player) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    assert browser.post("/practice/", ANY).status_code == 403
    assert not Game.objects.exists()


@pytest.mark.usefixtures("daily")
def test_the_page_of_a_game_is_its_players_alone_until_it_may_be_told(
    as_alice: Client, alice: Player, bob: Player, now: datetime
) -> None:
    mine, theirs = start_practice(alice, "standard", now), start_ranked(bob, "standard", now)
    assert as_alice.get(f"/games/{mine.id}/").status_code == 200
    for response in (Client().get(f"/games/{mine.id}/"), as_alice.get(f"/games/{theirs.id}/")):
        assert response.status_code == 403
        assert "This game is not public yet" in text_of(response)
    assert as_alice.get("/games/000000000000/").status_code == 404


def test_the_page_of_a_game_does_not_start_its_clock(as_alice: Client, alice: Player, now: datetime) -> None:
    game = start_practice(alice, "standard", now)
    as_alice.get(f"/games/{game.id}/")
    game.refresh_from_db()
    assert game.started_at is None
