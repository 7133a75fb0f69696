"""Results of days that are over come to feed readers, and nothing of a day that is not."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from games.personal_data.erasure import erase_player
from games.players.models import Player
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from leaderboards.boards.submission import submit
from tests.atom import require_valid_feed
from tests.leaderboards.conftest import NOON, Finish, named
from tests.leaderboards.played import played

ADDRESS = "/feeds/results/"
OVER = NOON.replace(hour=0, minute=30) + timedelta(days=1)
FINAL = OVER + timedelta(days=1)

pytestmark = pytest.mark.usefixtures("daily")


def test_a_day_is_told_once_it_is_over_and_again_when_it_is_final(client: Client, alice: Player, bob: Player) -> None:
    alice.display_name = "<b>Alice</b> & co"
    alice.save()
    played(alice, NOON)
    played(bob, NOON, actions=14)
    with time_machine.travel(OVER - timedelta(seconds=1), tick=False):
        before = require_valid_feed(client.get(ADDRESS), f"http://testserver{ADDRESS}")
        assert not any("2026-11-20" in entry.title for entry in before.entries)
    with time_machine.travel(OVER, tick=False):
        (entry,) = require_valid_feed(client.get(ADDRESS), f"http://testserver{ADDRESS}").entries
    assert (entry.title, entry.link) == ("Results of 2026-11-20", "http://testserver/days/2026-11-20/")
    assert re.search(
        r'<li value="1">&lt;b&gt;Alice&lt;/b&gt; &amp; co: \d+ cards left, 25 moves, 0:25</li>', entry.summary
    )
    assert "<h3>Standard, open</h3>" in entry.summary
    with time_machine.travel(FINAL, tick=False):
        *_, again = require_valid_feed(client.get(ADDRESS), f"http://testserver{ADDRESS}").entries
    assert (again.id, again.title) == (entry.id, "Results of 2026-11-20, final")
    assert again.updated > entry.updated


def test_equal_scores_share_a_rank_in_the_feed(client: Client, alice: Player, bob: Player, finish: Finish) -> None:
    submit([finish(alice).pk, finish(bob).pk, finish(named("carol"), moves=41).pk], NOON)
    with time_machine.travel(OVER, tick=False):
        (entry,) = require_valid_feed(client.get(ADDRESS), f"http://testserver{ADDRESS}").entries
    assert re.findall(r'<li value="(\d)">(\w+):', entry.summary) == [("1", "Alice"), ("1", "Bob"), ("3", "Carol")]


def test_a_reader_that_has_the_feed_gets_it_again_only_after_a_change(client: Client, alice: Player) -> None:
    game = played(alice, NOON)
    with time_machine.travel(OVER, tick=False):
        first = client.get(ADDRESS)
        assert "public" in first["Cache-Control"]
        assert client.get(ADDRESS, headers={"if-none-match": first["ETag"]}).status_code == 304
        decide(Decision(game=game, state=EntryState.DISQUALIFIED, reason="looked at", at=OVER))
        changed = client.get(ADDRESS, headers={"if-none-match": first["ETag"]})
    assert changed.status_code == 200
    assert b"Alice" not in changed.content


@pytest.mark.django_db(transaction=True)
def test_a_deleted_account_leaves_the_feed_at_once(client: Client, alice: Player) -> None:
    played(alice, NOON)
    with time_machine.travel(OVER, tick=False):
        first = client.get(ADDRESS)
        assert b"Alice" in first.content
        erase_player(alice, "asked for it", None, OVER)
        after = client.get(ADDRESS, headers={"if-none-match": first["ETag"]})
    assert after.status_code == 200
    assert b"Alice" not in after.content
