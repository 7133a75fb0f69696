"""The puzzle of the day comes to feed readers, the newest first, without its solution."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import time_machine
from django.test import Client

from games.puzzles.days import FIRST_DAY, puzzle_of
from games.puzzles.library import find_puzzle
from tests.atom import require_valid_feed

ADDRESS = "/feeds/puzzles/"
MIDNIGHT = datetime(2026, 11, 21, tzinfo=UTC)


def test_a_puzzle_is_there_from_midnight_on_and_leads_to_its_page(client: Client) -> None:
    with time_machine.travel(MIDNIGHT - timedelta(seconds=1), tick=False):
        before = client.get(ADDRESS)
        newest = require_valid_feed(before, f"http://testserver{ADDRESS}").entries[0]
    assert newest.title == "Puzzle of 20 November 2026"
    assert "public" in before["Cache-Control"]
    with time_machine.travel(MIDNIGHT, tick=False):
        after = client.get(ADDRESS, headers={"if-none-match": before["ETag"]})
        entries = require_valid_feed(after, f"http://testserver{ADDRESS}").entries
        assert client.get(ADDRESS, headers={"if-none-match": after["ETag"]}).status_code == 304
    today = puzzle_of(MIDNIGHT.date()).puzzle
    assert (len(entries), len({entry.id for entry in entries})) == (14, 14)
    assert entries[0].link == f"http://testserver/puzzles/{today}/"
    assert f"{find_puzzle(today).choices} removals are possible here" in entries[0].summary
    assert entries[1].id == newest.id


def test_on_the_first_days_there_are_as_many_as_there_were(client: Client) -> None:
    with time_machine.travel(datetime.combine(FIRST_DAY, datetime.min.time(), UTC), tick=False):
        assert len(require_valid_feed(client.get(ADDRESS), f"http://testserver{ADDRESS}").entries) == 1
