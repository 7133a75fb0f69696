"""Pages of boards: today's opens first, and leads to the others."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client

from games.players.models import Player
from leaderboards.boards import pages
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from tests.leaderboards.conftest import FASTEST, FEWEST_MOVES, MONTH, NOON, WEEK, Finish, named, submit_score

pytestmark = pytest.mark.usefixtures("_noon")


def html(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def links(part: str, label: str) -> list[str]:
    """Return where the links of a navigation lead, by its label."""
    found = re.search(rf'<nav[^>]*aria-label="{label}">(.*?)</nav>', part, re.DOTALL)
    assert found
    return re.findall(r'href="(?:/boards/)?([^"/]+)', found[1])


@pytest.mark.usefixtures("table")
def test_boards_open_todays_table_of_ones_division_with_ways_to_all_others(client: Client, alice: Player) -> None:
    client.force_login(alice)
    shown = html(client, "/boards/")
    assert "<h1>Today’s table</h1>" in shown  # noqa: RUF001
    assert '<tr class="you"><td class="rank"><i class="medal gold">1</i></td>' in shown
    assert links(shown, "Period")[:3] == [FEWEST_MOVES, WEEK, MONTH]
    assert links(shown, "Order") == [FEWEST_MOVES, FASTEST]
    bots = FEWEST_MOVES.replace("open", "open-bots")
    assert links(shown, "Players") == [FEWEST_MOVES, "?following=1", "?around=alice", bots]
    assert "Better than 50% of the players." in shown
    assert links(html(client, f"/boards/{WEEK}/"), "Period")[0] == FEWEST_MOVES


def test_a_past_or_coming_day_is_found_by_its_date(client: Client, daily: object) -> None:
    assert client.get(f"/boards/?day={NOON.date()}")["Location"] == f"/boards/{FEWEST_MOVES}/"
    assert "There are no tables for this day." in html(client, f"/boards/?day={NOON.date() + timedelta(days=1)}")
    assert client.get("/boards/?day=today")["Location"] == "/boards/"


def test_a_score_that_is_only_verified_is_listed_once_and_a_flagged_one_with_what_became_of_it(
    client: Client, alice: Player, finish: Finish
) -> None:
    game = finish(alice, moves=50)
    submit_score(game, NOON)
    client.force_login(alice)
    decide(Decision(game=game, state=EntryState.VERIFIED, reason="replayed", at=NOON))
    assert "Your scores on this table" not in html(client, f"/boards/{FEWEST_MOVES}/")
    for state in (EntryState.FLAGGED, EntryState.REINSTATED):
        decide(Decision(game=game, state=state, reason="looked at", at=NOON))
    assert "Your scores on this table" in html(client, f"/boards/{FEWEST_MOVES}/")


@pytest.mark.usefixtures("nine")
def test_who_is_far_down_sees_the_first_rows_and_those_around_oneself(
    client: Client, monkeypatch: pytest.MonkeyPatch, finish: Finish
) -> None:
    monkeypatch.setattr(pages, "ROWS", 3)
    zoe = named("zoe")
    submit_score(finish(zoe, moves=50), NOON)
    client.force_login(zoe)
    rows = re.findall(r'class="rank">(?:<i[^>]*>)?(\d+)', html(client, f"/boards/{FEWEST_MOVES}/"))
    assert rows == ["1", "2", "3", "8", "9", "10"]


def test_bars_are_as_long_in_german_as_in_english(client: Client, alice: Player, bob: Player, finish: Finish) -> None:
    """Three scores and one: a third of the width, which German would write with a comma."""
    for player in (alice, bob, named("carol"), named("dave")):
        submit_score(finish(player, cards_left=9 if player is bob else 0), NOON)
    for language in ("en", "de"):
        page = client.get("/boards/", headers={"accept-language": language}).content.decode()
        assert '<rect width="100.0"' in page
        assert '<rect width="33.3"' in page
