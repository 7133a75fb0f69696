"""The files that one move goes through, from frame to answer, are those that docs/architecture.md names."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.play import journal
from games.play.starting import start_ranked
from games.players.models import Player
from tests.calendar import prepared_dailies
from tests.games.conftest import Connect
from tests.processes import PROJECT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("_no_deadline")]

MOST_FILES = 10
# Shared tools, and what lies below the play in the rules, serve more than moves.
ON_THE_WAY = re.compile(
    r"play/(live|journal)/\w+\.py|play/(socket|session|wire)\.py|rules/play\.py|doors/sockets/connection\.py"
)


def documented() -> list[str]:
    text = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.partition("## The life of a move")[2].partition("\n## ")[0]
    return re.findall(r"`([\w/]+\.py)`", section.partition("A REST request")[0] + section.partition("\n2. ")[2])


@contextmanager
def following(entered: list[str]) -> Iterator[None]:
    """Note each file of `games` whose code is entered, in this thread and in those that start meanwhile."""
    games = str(PROJECT / "games") + "/"

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(games):
            entered.append(frame.f_code.co_filename.removeprefix(games))

    journal.stop()  # its thread starts again with the first change
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        journal.stop()


async def test_a_move_enters_the_ten_files_of_the_documents(connect: Connect, alice: Player) -> None:
    await sync_to_async(prepared_dailies)(timezone.now(), 1)
    game = await sync_to_async(start_ranked)(alice, "standard", timezone.now())
    async with connect(game.id, alice) as client:
        await client.receive()
        entered: list[str] = []
        with following(entered):
            assert (await client.play("D"))["type"] == "played"
    way = {file for file in entered if ON_THE_WAY.fullmatch(file)}
    assert way == set(documented())
    assert len(way) <= MOST_FILES
