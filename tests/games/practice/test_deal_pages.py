from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
import time_machine
from django.test import Client

from games.calendar.models import DailyDeal, Deal
from games.play.models import Game
from games.play.starting import start_practice, start_ranked
from games.players.models import Player
from tests.games.ways_to_play import commit, open_session
from tests.guards import guards_dropped

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def clock(now: datetime) -> Iterator[time_machine.Traveller]:
    """The time, which stands still until a test moves it."""
    with time_machine.travel(now, tick=False) as traveller:
        yield traveller


def finished(player: Player, now: datetime, *, moves: int, cards_left: int = 0, deal: Deal | None = None) -> Game:
    """Store a finished practice game."""
    deal = deal or Deal.objects.create(rules="standard", deck="", created_at=now, par=37)
    return Game.objects.create(
        player=player,
        deal=deal,
        created_at=now,
        started_at=now,
        finished_at=now,
        moves=moves,
        draws=0,
        recycles=0,
        undos=0,
        hints=0,
        elapsed_ms=1000,
        cards_left=cards_left,
        status="resigned" if cards_left else "won",
    )


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return " ".join(html.unescape(response.content.decode()).split())


def test_a_link_asks_to_beat_what_the_server_knows_and_not_what_the_address_says(
    client: Client, alice: Player, now: datetime
) -> None:
    game = finished(alice, now, moves=43)
    text = page(client, f"/deals/{game.deal_id}/?game={game.id}&moves=1")
    assert '<h1 id="deal-heading">Beat my 43 moves</h1>' in text
    assert f"http://testserver/deals/{game.deal_id}/?game={game.id}" in text
    assert "<dd>37</dd>" in text


def test_what_was_not_won_is_told_with_the_cards_left(client: Client, alice: Player, now: datetime) -> None:
    game = finished(alice, now, moves=20, cards_left=1)
    assert "Beat my 1 card left after 20 moves" in page(client, f"/deals/{game.deal_id}/?game={game.id}")


@pytest.mark.parametrize("game", ["0" * 12, "", "<script>", "43", "other"])
def test_a_game_that_is_not_of_this_deal_is_left_out(client: Client, alice: Player, now: datetime, game: str) -> None:
    mine = finished(alice, now, moves=43)
    other = finished(alice, now, moves=12)
    text = page(client, f"/deals/{mine.deal_id}/?game={other.id if game == 'other' else game}")
    assert "Beat my" not in text
    assert "<script>" not in re.sub(r"<script type.*?>", "", text)
    assert "43 moves" in text


def test_bob_sees_his_own_best_and_sends_that_on(client: Client, alice: Player, bob: Player, now: datetime) -> None:
    hers = finished(alice, now, moves=43)
    his = finished(bob, now, moves=41, deal=hers.deal)
    client.force_login(bob)
    text = page(client, f"/deals/{hers.deal_id}/?game={hers.id}")
    assert "Beat my 43 moves" in text
    assert f'value="http://testserver/deals/{hers.deal_id}/?game={his.id}"' in text


def test_bob_plays_the_deal_from_its_page(client: Client, alice: Player, bob: Player, now: datetime) -> None:
    game = finished(alice, now, moves=43)
    address = f"/deals/{game.deal_id}/?game={game.id}"
    client.force_login(bob)
    response = client.post(address)
    started = Game.objects.get(player=bob)
    assert response["Location"] == f"/games/{started.id}/#deal"
    assert (started.deal, started.daily) == (game.deal, None)


def test_a_stranger_plays_the_deal_as_a_guest(client: Client, alice: Player, now: datetime) -> None:
    game = finished(alice, now, moves=43)
    assert client.post(f"/deals/{game.deal_id}/").status_code == 303
    assert Game.objects.exclude(pk=game.pk).get().player.is_guest


def test_a_page_of_another_site_starts_no_game(alice: Player, bob: Player, now: datetime) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(bob)
    assert browser.post(f"/deals/{finished(alice, now, moves=1).deal_id}/").status_code == 403


def test_too_many_open_games_are_explained(
    client: Client, alice: Player, bob: Player, settings: object, now: datetime
) -> None:
    settings.PYRAMID_OPEN_PRACTICE_GAMES = 0  # type: ignore[attr-defined]
    client.force_login(bob)
    response = client.post(f"/deals/{finished(alice, now, moves=1).deal_id}/")
    assert "Finish one or give one up first" in response.content.decode()


def test_a_deal_that_is_not_shared_has_no_page(
    client: Client, alice: Player, bob: Player, daily: DailyDeal, now: datetime
) -> None:
    practice = start_practice(alice, "standard", now)
    attempt = start_ranked(alice, "standard", now)
    for player in (alice, bob):
        client.force_login(player)
        for deal_id in (practice.deal_id, attempt.deal_id, "0" * 12):
            assert client.get(f"/deals/{deal_id}/").status_code == 404
            assert client.post(f"/deals/{deal_id}/").status_code == 404


def test_alice_practises_todays_deal_after_her_attempt_and_the_page_tells_her_nothing_of_it(
    client: Client, alice: Player, daily: DailyDeal, now: datetime, clock: time_machine.Traveller
) -> None:
    Deal.objects.filter(pk=daily.deal_id).update(par=57)
    with guards_dropped():
        DailyDeal.objects.update(stored_policy={"practice_after": True})
    attempt = start_ranked(alice, "standard", now)
    commit(open_session(attempt, now).resign(0, now))
    address = f"/deals/{daily.deal_id}/"
    assert client.get(address).status_code == 404
    client.force_login(alice)
    assert "Play this deal" in page(client, f"/games/{attempt.id}/")
    text = page(client, address)
    assert "so you may practise on it" in text
    assert re.search(r"\b57\b", text.replace(daily.deal.pk, "")) is None  # also part of the hash of a release
    assert client.post(address).status_code == 303
    clock.move_to(daily.key.finish_by - timedelta(milliseconds=1))
    assert "so you may practise on it" in page(client, address)
    clock.move_to(daily.key.finish_by)
    assert "<dd>57</dd>" in page(Client(), address)
    assert "Challenge someone" in page(client, f"/games/{attempt.id}/")
