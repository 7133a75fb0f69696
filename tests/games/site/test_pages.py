from __future__ import annotations

import re
from datetime import datetime, timedelta
from html.parser import HTMLParser

import pytest
import time_machine
from django.test import Client

from games.calendar.models import DailyDeal, Deal
from games.play.models import Game
from games.play.starting import start_ranked
from games.players.models import Player
from games.rule_sets.win_rates import win_rate
from games.rules import RULE_SETS
from games.rules.prose import paragraphs
from games.site.tags import listed
from games.statistics.models import UncountedGame
from tests.guards import guards_dropped
from tests.processes import PROJECT

MILLISECOND = timedelta(milliseconds=1)


def page(client: Client, address: str, at: datetime) -> str:
    with time_machine.travel(at, tick=False):
        response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_the_handle_that_tells_mallory_from_an_alice_of_the_same_name_is_in_the_open() -> None:
    assert listed("Alice (mallory)", "mallory") == "<bdi>Alice</bdi> (mallory)"
    assert listed("Alice (mallory)", "alice") == "<bdi>Alice (mallory)</bdi>"


def test_two_buttons_of_a_line_are_a_row_which_keeps_them_apart_on_the_phone_of_alice() -> None:
    touching = [
        template.name
        for folder in ("games", "leaderboards", "pyramid_server")
        for template in (PROJECT / folder).rglob("*.html")
        if re.search(r'<p>(?:(?!</p>).)*class="button(?:(?!</p>).)*class="button', template.read_text(encoding="utf-8"))
    ]
    assert touching == []


class _Inline(HTMLParser):
    """Collects what the content security policy forbids."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attributes}
        if tag == "style" or (
            tag == "script" and "src" not in names and ("type", "application/json") not in attributes
        ):
            self.found.append(tag)
        self.found += [name for name in names if name == "style" or name.startswith("on")]


def test_no_page_tells_a_person_to_run_a_command_but_those_for_programs(
    client: Client, daily: DailyDeal, now: datetime
) -> None:
    for address in ("/", "/practice/", "/rules/standard/", "/days/", "/settings/", "/account/claim/"):
        assert "curl" not in page(client, address, now)
        assert "Bearer" not in page(client, address, now)
    programs = page(client, "/programs/", now)
    assert "curl -O http://testserver/docs/examples/thin_client.py" in programs
    assert "thin_client.py http://testserver/" in programs


@pytest.mark.parametrize(
    "address",
    [
        *("/\t/evil.example/", "/\n\\evil.example/", "//evil.example/", "\\\\evil.example/", "/\\evil.example/"),
        *(
            "https://evil.example/",
            "http:///evil.example/",
            "javascript:evil()",
            "\x01//evil.example/",
            "///evil.example/",
        ),
    ],
    ids=ascii,
)
def test_the_settings_lead_back_to_no_address_that_a_browser_reads_as_another_site(
    client: Client, address: str
) -> None:
    assert "evil" not in client.get("/settings/", {"next": address}).content.decode()
    chosen = client.post("/settings/language/", {"language": "de", "next": address})
    assert chosen["Location"] == "/settings/"


def test_the_settings_lead_back_to_the_game(client: Client) -> None:
    assert '<a class="button" href="/games/1/">' in client.get("/settings/?next=/games/1/").content.decode()


@pytest.mark.parametrize("slug", RULE_SETS)
def test_every_rule_set_has_a_page_with_its_text(client: Client, now: datetime, slug: str) -> None:
    text = page(client, f"/rules/{slug}/", now)
    assert all(paragraph in text for paragraph in paragraphs(RULE_SETS[slug]))


def test_a_rule_set_says_how_many_deals_can_be_won_and_how_sure_that_is(client: Client, now: datetime) -> None:
    counted = win_rate(RULE_SETS["giza"])
    assert counted
    low, high = (f"{end:.1f}" for end in counted.interval)
    assert f"between {low}% and {high}% of random deals, by a count of" in page(client, "/rules/giza/", now)
    chooser = page(client, "/practice/", now)
    assert f"{low} to {high}% can be won" in chooser
    german = client.get("/rules/giza/", headers={"accept-language": "de"}).content.decode()
    assert f"zwischen {low.replace('.', ',')} und {high.replace('.', ',')}" in german


def test_an_alias_leads_to_the_page_of_its_rule_set(client: Client) -> None:
    response = client.get("/rules/msc/")
    assert (response.status_code, response["Location"]) == (301, "/rules/relaxed/")


def test_a_handle_with_capitals_leads_to_the_page_of_its_player(client: Client, alice: Player) -> None:
    response = client.get(f"/players/{alice.username.upper()}/")
    assert (response.status_code, response["Location"]) == (301, f"/players/{alice.username}/")


def test_what_does_not_exist_is_a_page_that_says_so(client: Client, db: None) -> None:
    for address in (
        *("/rules/klondike/", "/players/nobody/", "/nowhere/", "/days/2020-01-01/", "/days/never/"),
        *(
            "/games/nosuchgame12/",
            "/deals/nosuchdeal12/",
            "/boards/nosuch/",
            "/boards/daily.2020-01-01.standard.open.fastest/",
        ),
    ):
        response = client.get(address)
        assert response.status_code == 404
        assert "There is nothing here" in response.content.decode()


def test_a_game_of_somebody_else_and_a_table_that_nobody_entered_say_so(
    client: Client, alice: Player, daily: DailyDeal, now: datetime
) -> None:
    game = start_ranked(alice, "standard", now)
    with time_machine.travel(now, tick=False):
        answer = client.get(f"/games/{game.id}/")
        table = client.get(f"/boards/daily.{daily.day}.standard.{daily.division}.fewest-moves/")
    assert (answer.status_code, table.status_code) == (403, 200)
    assert "This game is not public yet" in answer.content.decode()
    assert "Nobody is on this table yet. The first place is free." in table.content.decode()


def test_the_page_of_a_game_that_bob_and_a_visitor_may_not_see_says_why_in_their_language(
    client: Client, alice: Player, bob: Player, daily: DailyDeal, now: datetime
) -> None:
    address = f"/games/{start_ranked(alice, 'standard', now).id}/"
    with time_machine.travel(now, tick=False):
        visited = client.get(address).content.decode()
        client.force_login(bob)
        read, gelesen = (client.get(address, headers={"accept-language": one}).content.decode() for one in ("en", "de"))
    assert "Sign in or continue as a guest to watch it." in visited
    assert "It has not begun yet." in read
    assert "Sie hat noch nicht begonnen." in gelesen


@pytest.mark.parametrize("address", ["/", "/rules/standard/"])
def test_pages_are_only_read(client: Client, address: str) -> None:
    assert client.post(address).status_code == 405


@pytest.mark.parametrize("address", ["/", "/rules/up-and-down/", "/practice/"])
def test_pages_have_no_inline_script_or_style(client: Client, daily: DailyDeal, now: datetime, address: str) -> None:
    inline = _Inline()
    inline.feed(page(client, address, now))
    assert inline.found == []


def test_the_page_of_a_player_shows_what_the_reader_may_know(
    client: Client, alice: Player, daily: DailyDeal, now: datetime
) -> None:
    start_ranked(alice, "standard", now)
    address = f"/players/{alice.username}/"
    assert "<dt>Days played in a row</dt><dd>0</dd>" in page(client, address, now)
    client.force_login(alice)
    assert "<dt>Days played in a row</dt><dd>1</dd>" in page(client, address, now)


def test_results_bests_and_moves_over_par_are_shown_by_rules_and_kind(
    client: Client, alice: Player, daily: DailyDeal, now: datetime
) -> None:
    start_ranked(alice, "standard", now)
    counts = {"draws": 0, "recycles": 0, "undos": 0, "hints": 0, "cards_left": 0, "moves": 33}
    with guards_dropped():
        Game.objects.update(status="won", finished_at=now, elapsed_ms=171_250, **counts)
    UncountedGame.objects.create(game=Game.objects.get(), player=alice, due_at=now)
    Deal.objects.update(par=30, grade="easy")
    address = f"/players/{alice.username}/"
    text = page(client, address, now)
    row = re.search(rf"<th scope=\"row\">{RULE_SETS['standard'].title}<small.*?</th>(.*?)</tr>", text)
    assert row
    assert re.findall(r">([^<]+)</td>", row[1]) == ["daily", "1", "1", "100%", "33", "2:51"]
    assert "Moves over par" not in text
    over = page(client, address, daily.key.finish_by)
    assert "Moves over par: daily" in over
    assert re.search(r'<span>3 to 4</span><svg [^>]*><rect width="100.0"', over)


def test_a_display_name_is_text_and_never_markup(client: Client, alice: Player, now: datetime) -> None:
    Player.objects.filter(pk=alice.pk).update(display_name="<script>alert(1)</script>")
    assert "<script>alert" not in page(client, f"/players/{alice.username}/", now)


@pytest.mark.parametrize(
    ("came_from", "back"),
    [
        ("http://testserver/account/sign-in/?a=1", "http://testserver/account/sign-in/?a=1"),
        ("https://mallory.example/", "/"),
        ("", "/"),
    ],
)
def test_a_form_without_its_token_is_refused_with_the_way_back_to_it(db: None, came_from: str, back: str) -> None:
    refused = Client(enforce_csrf_checks=True).post("/account/sign-in/", {}, headers={"referer": came_from})
    text = refused.content.decode()
    assert refused.status_code == 403
    assert f'<a class="button" href="{back}">Try again</a>' in text
    assert '<nav aria-label="Site">' in text
