"""The front page: one deal to play at once, the others small, and a table as soon as somebody is on it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from games.calendar.models import DailyDeal
from games.play.starting import start_ranked
from games.players.models import Player
from leaderboards.boards.submission import submit
from tests.calendar import prepared_dailies
from tests.guards import guards_dropped
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, Finish, named
from tests.leaderboards.played import played

MILLISECOND = timedelta(milliseconds=1)
MIDNIGHT = NOON + timedelta(hours=12)
EMPTY = "Nobody has finished today\u2019s deal yet, so the first place is yours to take."


def front(client: Client, at: datetime = NOON) -> str:
    with time_machine.travel(at, tick=False):
        response = client.get("/")
    assert response.status_code == 200
    return response.content.decode()


def test_a_newcomer_sees_one_deal_as_backs_one_button_and_one_optional_name(client: Client, daily: DailyDeal) -> None:
    text = front(client)
    assert text.count("<h1") == text.count("Play today\u2019s deal") == text.count('name="display_name"') == 1
    assert [text.count(shape) for shape in ("m1.500 0h17", "m1.200 1.200", "m2.600 2.600")] == [28, 28, 28]
    assert "Friday, 20 November" in text
    assert 'data-server-now="2026-11-20T12:00:00+00:00"' in text
    assert 'data-closes-at="2026-11-21T00:00:00+00:00" data-finish-by="2026-11-21T00:30:00+00:00"' in text
    assert 'action="/play/standard/"' in text
    for address in ("/practice/", "/boards/", "/days/", "/fairness/", "/programs/", f"/boards/{FEWEST_MOVES}/"):
        assert f'href="{address}"' in text


def test_the_other_deals_of_the_day_are_small_cards_of_the_same_form(
    client: Client, settings: Settings, db: None
) -> None:
    settings.PYRAMID_DAILY_RULE_SETS = ["giza", "relaxed", "standard"]
    prepared_dailies(NOON)
    text = front(client)
    assert re.findall(r'form="play" formaction="([^"]+)"', text) == ["/play/relaxed/", "/play/giza/", "/practice/"]
    assert text.count("<h1") == 1
    assert "8 open piles below the pyramid. No stock." in text
    assert text.count("data-live=") == 1


def test_every_fingerprint_says_whose_it_is(client: Client, settings: Settings, db: None) -> None:
    settings.PYRAMID_DAILY_RULE_SETS = ["giza", "standard"]
    prepared_dailies(NOON)
    shown = dict(re.findall(r"<dt>([^<]+)</dt><dd><code>([^<]+)</code>", front(client)))
    own = DailyDeal.objects.filter(day=NOON.date(), division="open")
    assert shown == {daily.rules.title(): daily.commitment for daily in own}


def test_a_table_is_one_sentence_until_somebody_is_on_it(client: Client, daily: DailyDeal, alice: Player) -> None:
    text = front(client)
    assert f'role="status">{EMPTY}<' in text
    assert "<tbody></tbody>" in text
    played(alice, NOON)
    text = front(client, NOON + timedelta(minutes=1))
    assert 'role="status">1 player<' in text
    assert re.search(
        r'<td class="rank">(?:<i[^>]*>)?1(?:</i>)?</td><th scope="row"><a href="/players/alice/"><bdi>Alice</bdi></a>',
        text,
    )


def test_the_own_row_stands_below_the_first_ones(client: Client, finish: Finish, bob: Player) -> None:
    crowd = [named(f"p{number}") for number in range(9)]
    submit([finish(player, moves=40 + number).pk for number, player in enumerate([*crowd, bob])], NOON)
    client.force_login(bob)
    ranks = re.findall(
        r'<tr( class="you")?><td class="rank">(?:<i[^>]*>)?(\d+)<', front(client, NOON + timedelta(minutes=1))
    )
    assert len(ranks) == 9
    assert [rank for is_own, rank in ranks if is_own] == ["10"]


def test_whoever_has_played_looks_at_the_game_and_practises_with_one_tap(
    client: Client, daily: DailyDeal, alice: Player
) -> None:
    game = played(alice, NOON)
    client.force_login(alice)
    text = front(client, NOON + timedelta(minutes=1))
    assert "You have played today" in text
    assert f'href="/games/{game.id}/"' in text
    assert "Play today\u2019s deal" not in text
    assert 'name="display_name"' not in text
    assert 'form="play" formaction="/practice/"' in text


def test_the_front_page_has_nothing_secret(client: Client, alice: Player, daily: DailyDeal) -> None:
    start_ranked(alice, "standard", NOON)
    text = front(client)
    for secret in DailyDeal.objects.select_related("deal"):
        assert secret.seed not in text
        assert not any(secret.deal.deck[start : start + 8] in text for start in range(0, 104 - 6, 2))
        assert secret.day == daily.day or secret.commitment not in text


def test_it_says_so_when_no_deal_is_open_and_practice_is_one_tap(client: Client, db: None) -> None:
    text = front(client)
    assert "No deal is open" in text
    assert 'form="play" formaction="/practice/"' in text


def test_a_deal_is_said_to_be_chosen_before_its_day_only_if_it_was(client: Client, coming_days: None) -> None:
    claim = "was chosen before the day began"
    at_noon, later = front(client), front(client, NOON + timedelta(days=3))
    assert claim not in at_noon  # made at noon, when this server was new
    assert "Fixed in advance" not in at_noon
    assert "Published on the day itself, 12 hours after it opened." in at_noon
    assert claim in later
    assert "Published 2 days before the day opened." in later
    first, third = (client.get(f"/days/2026-11-{day}/").content.decode() for day in (20, 22))
    doubt = "Nothing shows that the deal was chosen in advance."
    assert f"Its fingerprint was published on the day itself, 12 hours after it opened. {doubt}" in first
    assert doubt not in third


def test_only_a_day_that_another_one_came_before_leads_to_it(client: Client, coming_days: None) -> None:
    first, second = (client.get(f"/days/2026-11-{day}/").content.decode() for day in (20, 21))
    assert "/days/2026-11-19/" not in first
    assert 'href="/days/2026-11-20/">The day before' in second


def test_the_ways_from_a_day_pass_over_those_on_which_the_server_was_off(client: Client, db: None) -> None:
    back = NOON + timedelta(days=3)
    for at in (NOON, back):
        prepared_dailies(at, days_ahead=1)
    with time_machine.travel(back, tick=False):
        pages = {day: client.get(f"/days/2026-11-{day}/").content.decode() for day in (20, 21, 23)}
    ways = {day: re.findall('href="/days/2026-11-([0-9]+)/">The day', text) for day, text in pages.items()}
    assert ways == {20: ["21"], 21: ["20", "23"], 23: ["21"]}


@pytest.mark.parametrize("after_midnight", [timedelta(), timedelta(minutes=30) - MILLISECOND, timedelta(minutes=30)])
def test_yesterdays_deal_can_be_continued_until_its_last_games_have_to_end(
    client: Client, daily: DailyDeal, coming_days: None, alice: Player, after_midnight: timedelta
) -> None:
    game = start_ranked(alice, "standard", NOON)
    now = MIDNIGHT + after_midnight
    assert "Continue" not in front(client, now)
    client.force_login(alice)
    text = front(client, now)
    to_continue = [way for way in re.findall("<li>.*?</li>", text, re.DOTALL) if "Continue" in way]
    assert len(to_continue) == (now < daily.key.finish_by)
    assert all(way.startswith(f'<li><a href="/games/{game.id}/">') and "20 November" in way for way in to_continue)
    assert text.count('action="/play/standard/"') == 1  # which starts that of the new day
    assert "Saturday, 21 November" in text


def test_the_own_division_is_the_one_to_play(client: Client, daily: DailyDeal) -> None:
    def division(text: str) -> str:
        return str(re.findall(r'data-live="daily.2026-11-20.standard.(\w+)', text)[0])

    with guards_dropped():
        DailyDeal.objects.update(stored_policy={"minimum_age_days": 0, "minimum_finished_games": 0})
    assert division(front(client)) == "open"
    carol = named("carol", date_joined=NOON - timedelta(days=1))
    with time_machine.travel(NOON, tick=False):
        client.force_login(carol)
    assert division(front(client)) == "main"


def test_the_page_says_who_plays_in_which_division(client: Client, daily: DailyDeal) -> None:
    assert "with finished games on three different days. Everyone else plays in open." in front(client)


def test_after_midnight_the_tables_of_the_other_division_are_those_of_the_new_day(
    client: Client, daily: DailyDeal, coming_days: None
) -> None:
    days = re.findall(r'href="/boards/daily\.([0-9-]+)\.standard\.main\.', front(client, MIDNIGHT))
    assert days == ["2026-11-21"]


def test_streaks_are_the_readers_own(client: Client, alice: Player, daily: DailyDeal) -> None:
    start_ranked(alice, "standard", NOON)
    assert "Your days" not in front(client)
    client.force_login(alice)
    text = front(client)
    assert "Your days" in text
    assert f'href="/players/{alice.username}/"' in text
