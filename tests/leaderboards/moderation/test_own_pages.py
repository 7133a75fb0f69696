"""The player's side as pages: what was decided and why, one appeal, notifications, and reporting a score."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlencode

import pytest
import time_machine
from django.conf import settings
from django.test import Client

from games.play.models import Game
from games.players.models import Player
from leaderboards.moderation.choices import Choice
from leaderboards.moderation.models import Appeal, Case, Outcome, Report
from leaderboards.moderation.rank_moves import tell_moved
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, Finish, named, submit_score
from tests.leaderboards.moderation.conftest import case_about, decided
from tests.leaderboards.moderation.test_rest import DISQUALIFY

OWN = "/review/own/"


def browser_of(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def test_a_player_reads_the_reason_appeals_once_and_is_told_when_it_is_too_late(
    crowd: list[Game], ines: Player
) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        mallory = browser_of(crowd[10].player)
        assert "None of your scores has been questioned." in mallory.get(OWN).content.decode()
        case = case_about(crowd[10])
        line = decided(case, ines, DISQUALIFY)
        shown = mallory.get(OWN).content.decode()
        assert "The deal had been seen on a second account." in shown
        assert "once against each disqualification or ban" in shown
        assert 0 < shown.index(f'id="decision-{line.number}"') < shown.index("<h2>Scores</h2>")
        assert ">1<span" in shown
        assert not any(secret in shown for secret in ("same device", "ines"))
        for form in ({}, {"number": "x", "text": "a"}, {"number": line.number, "text": ""}, {"number": 1, "text": "a"}):
            assert mallory.post(OWN, form).status_code == (400 if form else 200)
        clock.move_to(NOON + timedelta(days=15), tick=False)
        late = browser_of(crowd[10].player).post(OWN, {"number": line.number, "text": "I was away."})
        assert "The time for an appeal is over." in late.content.decode()
        assert "Appeal, until" not in late.content.decode()
        clock.move_to(NOON, tick=False)
        assert mallory.post(OWN, {"number": line.number, "text": "My brother did."})["Location"] == OWN
        assert "there is no answer yet" in mallory.get(OWN).content.decode()
        assert mallory.post(OWN, {"number": line.number, "text": "Again."}).status_code == 400
    assert Appeal.objects.get().text == "My brother did."
    assert Case.objects.get().state == "appealed"


def test_only_the_player_sees_a_held_score_with_its_reason_and_that_it_counts_once_cleared(
    crowd: list[Game], finish: Finish, ines: Player
) -> None:
    carol = named("carol")
    game = finish(carol, moves=20, hasty=6)
    submit_score(game, NOON)
    with time_machine.travel(NOON, tick=False):
        own, other = (browser_of(player) for player in (carol, crowd[0].player))
        shown = own.get(OWN).text
        assert "Actions followed each other faster than a person acts." in shown
        assert "Until then the score has no rank" in shown
        assert "Your score is under review" in own.get(f"/boards/{FEWEST_MOVES}/").text
        assert "carol" not in other.get(f"/boards/{FEWEST_MOVES}/").text
        case = case_about(game)
        assert case.rank == 1  # which it would have: the case is as urgent
        decided(case, ines, Choice(Outcome.CLEAR, "explained"))
        assert "You are number 1" in own.get(f"/boards/{FEWEST_MOVES}/").text


def test_who_moved_up_reads_from_where_to_where(crowd: list[Game], ines: Player) -> None:
    decided(case_about(crowd[10]), ines, DISQUALIFY)
    tell_moved(NOON)
    shown = browser_of(crowd[11].player).get("/account/notifications/").content.decode()
    assert "You moved from 12 to 11 because of a decision about another score" in shown


def test_a_score_is_reported_on_a_page_as_often_as_over_rest(
    crowd: list[Game], alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "reports", (2, 24 * 60 * 60))
    browser, address = browser_of(alice), f"/review/report/{crowd[0].pk}/"
    assert "Report it" in browser.get(address).content.decode()
    answer = browser.post(address, {"text": "the same line as mine"}).content.decode()
    assert "The reviewers have your report now" in answer
    assert Report.objects.get().text == "the same line as mine"
    assert browser.post("/review/report/nosuchgame12/").status_code == 409
    assert browser.post(f"/review/report/{crowd[1].pk}/").status_code == 429
    for path in (address, OWN):
        assert Client().get(path)["Location"] == f"/account/sign-in/?{urlencode({'next': path})}"
