"""The pages of a retest: the player's, and the reviewer's on the case."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.play.models import Game
from games.players.models import Player
from leaderboards.moderation.models import Case
from leaderboards.retests.models import Retest
from leaderboards.retests.offering import Terms, offer
from leaderboards.retests.supervising import end_due
from tests.games.api import Api
from tests.leaderboards.retests.conftest import LATER

pytestmark = pytest.mark.django_db(transaction=True)

OWN = "/review/retests/"


def browser_of(player: Player) -> Client:
    browser = Client()
    browser.force_login(player)
    return browser


def text_of(browser: Client, address: str, **more: str) -> str:
    response = browser.get(address, headers=more or None)
    assert response.status_code == 200
    return response.content.decode()


def test_alice_reads_the_invitation_accepts_and_is_led_to_each_deal(retest: Retest, alice: Player) -> None:
    browser = browser_of(alice)
    shown = text_of(browser, OWN)
    assert "is not evidence against you" in shown
    assert "Begin the sitting" not in shown
    assert browser.post(OWN, {"retest": retest.pk, "act": "accept"})["Location"] == OWN
    assert "Begin the sitting" in text_of(browser, OWN)
    first = browser.post(OWN, {"retest": retest.pk, "act": "play"})
    game = Game.objects.get(deal__kept_for="retest")
    assert first["Location"] == f"/games/{game.pk}/#deal"
    page = text_of(browser, f"/games/{game.pk}/")
    assert f'<a href="{OWN}">Retest</a>' in page
    assert "/deals/" not in page.partition("<main")[2]
    assert "Play deal 1 of 5" in text_of(browser, OWN)


def test_a_deal_of_a_retest_offers_no_way_to_another_deal_and_the_page_counts_to_the_last(
    retest: Retest, alice: Player
) -> None:
    browser = browser_of(alice)
    browser.post(OWN, {"retest": retest.pk, "act": "accept"})
    for number in range(1, 6):
        started = browser.post(OWN, {"retest": retest.pk, "act": "play"})["Location"]
        assert f"Play deal {number} of 5" in text_of(browser, OWN)
        page = text_of(browser, started.partition("#")[0])
        assert "/again/" not in page
        assert f'action="{reverse("web:practice")}"' not in page
        Api(alice).resign(started.split("/")[2])
    shown = text_of(browser, OWN)
    assert "You have played all deals." in shown
    assert "<button" not in shown.partition('id="retest-')[2]


def test_the_invitation_says_in_german_what_it_can_show_and_what_not(retest: Retest, alice: Player) -> None:
    shown = text_of(browser_of(alice), OWN, accept_language="de")
    assert "spricht nicht gegen dich" in shown
    assert "kann nicht zeigen" in shown


def test_a_step_that_is_not_possible_is_explained(retest: Retest, alice: Player, mallory: Player) -> None:
    browser = browser_of(alice)
    for form in ({}, {"retest": retest.pk}, {"retest": retest.pk, "act": "play"}, {"retest": "x", "act": "accept"}):
        assert browser.post(OWN, form).status_code in (200, 409)
    assert retest.deals.count() == 0
    assert browser_of(mallory).post(OWN, {"retest": retest.pk, "act": "accept"}).status_code == 409
    assert "Nobody has offered you one." in text_of(browser_of(mallory), OWN)


def test_ines_offers_one_on_the_page_of_the_case_and_follows_it_there(case: Case, ines: Player, alice: Player) -> None:
    browser, address = browser_of(ines), f"/admin/review/{case.pk}/"
    assert "Offer a retest" in text_of(browser, address)
    terms = {"act": "retest", "fresh": "4", "alike": "1", "minutes": "60", "days": "7"}
    refused = browser.post(address, terms | {"fresh": "many"})
    assert (refused.status_code, "whole numbers" in refused.content.decode()) == (400, True)
    assert browser.post(address, terms | {"fresh": "99"}).status_code == 400
    assert browser.post(address, terms)["Location"] == f"{address}#retests"
    shown = text_of(browser, address)
    assert "offered: 4 new deals, 1 alike, 60 minutes" in shown
    assert "the account has an open retest" in shown
    own = browser_of(alice)
    (retest,) = Retest.objects.all()
    assert "Retests that run now" not in text_of(browser, "/admin/")
    for act in ("accept", "play"):
        own.post(OWN, {"retest": retest.pk, "act": act})
    assert f'href="{address}#retests"' in text_of(browser, "/admin/")
    game = Game.objects.get(deal__kept_for="retest")
    Api(alice).state(game.pk)
    assert f'href="/games/{game.pk}/">Watch</a>' in text_of(browser, address)
    watched = text_of(browser, f"/games/{game.pk}/")
    assert 'class="game watch"' in watched
    assert f'<a href="{address}#retests">Retest</a>' in watched


def test_who_may_not_see_the_case_gets_neither_watch_nor_replay(
    retest: Retest, alice: Player, mallory: Player, ines: Player
) -> None:
    own = browser_of(alice)
    for act in ("accept", "play"):
        own.post(OWN, {"retest": retest.pk, "act": act})
    game, api = Game.objects.get(deal__kept_for="retest"), Api(alice)
    api.state(game.pk)
    assert browser_of(mallory).get(f"/games/{game.pk}/").status_code == 403
    api.resign(game.pk)
    assert browser_of(mallory).get(f"/games/{game.pk}/").status_code == 403
    assert Client().get(f"/games/{game.pk}/").status_code == 403
    assert 'class="game replay"' in text_of(browser_of(ines), f"/games/{game.pk}/")


def test_the_case_keeps_who_declined_without_a_word_of_guilt(
    retest: Retest, alice: Player, case: Case, ines: Player
) -> None:
    browser_of(alice).post(OWN, {"retest": retest.pk, "act": "decline"})
    end_due(LATER)
    shown = text_of(browser_of(ines), f"/admin/review/{case.pk}/")
    assert "declined by the player" in shown
    assert "says nothing about guilt" in shown


def test_which_won_deal_one_plays_like_is_shown_only_after_its_game(
    case: Case, ines: Player, alice: Player, won: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda most: 0)
    retest = offer(case.pk, ines, Terms(4, 1, 60, 7), LATER)
    own, browser, address = browser_of(alice), browser_of(ines), f"/admin/review/{case.pk}/"
    for act in ("accept", "play"):
        own.post(OWN, {"retest": retest.pk, "act": act})
    (deal,) = retest.deals.all()
    assert deal.origin == won
    named = f'change/">{won.pk}</a></td>'
    assert named not in text_of(browser, address)
    Api(alice).state(deal.game_id or "")
    Api(alice).resign(deal.game_id or "")
    assert named in text_of(browser, address)


def test_no_page_of_the_admin_has_the_cards_that_the_player_has_not_seen(
    retest: Retest, alice: Player, mallory: Player
) -> None:
    Player.objects.filter(pk=mallory.pk).update(is_staff=True, is_superuser=True)
    own, root = browser_of(alice), browser_of(Player.objects.get(pk=mallory.pk))
    for act in ("accept", "play"):
        own.post(OWN, {"retest": retest.pk, "act": act})
    game = Game.objects.select_related("deal").get(deal__kept_for="retest")
    deck = game.deal.deck
    for begun in (False, True):
        if begun:
            Api(alice).state(game.pk)
        pages = [f"/admin/games/deal/{game.deal_id}/change/", f"/admin/games/game/{game.pk}/change/"]
        shown = "".join(text_of(root, page) for page in pages)
        assert deck not in shown
        assert deck[-48:] not in shown
        assert (deck[:56] in shown) == begun
