"""Anyone can copy the log, as files that never change."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from games.tlog import merkle, tree
from games.tlog.models import Checkpoint
from games.tlog.signing import sign_log
from tests.games.tlog.test_tree import fill, numbered

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _own_key(tmp_path: Path, settings: Settings) -> None:
    settings.PYRAMID_LOG_KEY_FILE = tmp_path / "log_key"


def test_the_newest_checkpoint_is_served_as_text(db: None, client: Client) -> None:
    assert client.get("/tlog/checkpoint").status_code == 404
    fill(1)
    sign_log(NOW)
    answer = client.get("/tlog/checkpoint")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Cache-Control"] == "public, max-age=2"
    newest = Checkpoint.objects.get()
    assert answer.content.decode() == newest.note
    assert client.get("/tlog/keys").content.decode() == f"{newest.keys}\n"


def test_tiles_and_leaves_are_served_to_be_kept_forever(db: None, client: Client) -> None:
    fill(merkle.WIDTH + 2)
    texts = [numbered(number).text.encode() for number in range(merkle.WIDTH + 2)]
    tiles = merkle.tiles(texts)
    bundles = [len(text).to_bytes(2) + text for text in texts]
    expected = {
        "0/000": tiles[0, 0],
        "0/000.p/7": tiles[0, 0][: 7 * 32],
        "0/001.p/2": tiles[0, 1],
        "1/000.p/1": tiles[1, 0],
        "entries/000": b"".join(bundles[:256]),
        "entries/000.p/3": b"".join(bundles[:3]),
        "entries/001.p/1": bundles[256],
    }
    for place, content in expected.items():
        answer = client.get(f"/tlog/tile/{place}")
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/octet-stream"), place
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.content == content, place


@pytest.mark.parametrize(
    "place",
    [
        *("0/001", "0/001.p/3", "0/001.p/0", "0/001.p/256", "0/001.p/02", "0/002.p/1", "1/000", "2/000.p/1"),
        *("0/0", "0/1", "0/x000/001.p/2", "0/x001/000", "00/000", "0/000/", "0/000.p/", "64/000", "0/000.p/-1"),
        *("entries/001", "entries/001.p/3", "entries/x999/x999/x999/x999/999", f"{10**30}/000"),
    ],
)
def test_whatever_is_not_there_is_not_found(db: None, client: Client, place: str) -> None:
    fill(merkle.WIDTH + 2)
    assert client.get(f"/tlog/tile/{place}").status_code in {404} | ({200} if place == "00/000" else set())


@pytest.mark.parametrize("path", ["", "nothing", "checkpoint", "tile/0/001", "proof/7"])
def test_a_program_reads_as_text_that_there_is_no_such_file(db: None, client: Client, path: str) -> None:
    answer = client.get(f"/tlog/{path}")
    assert (answer.status_code, answer["Content-Type"]) == (404, "text/plain; charset=utf-8")
    assert answer.content == b"there is nothing here\n"


def test_what_was_signed_can_be_recomputed_from_what_is_served(db: None, client: Client) -> None:
    fill(5)
    signed = sign_log(NOW)
    assert signed is not None
    data, found = client.get("/tlog/tile/entries/000.p/5").content, []
    while data:
        size = int.from_bytes(data[:2])
        found.append(data[2 : 2 + size])
        data = data[2 + size :]
    assert merkle.root(merkle.tiles(found), 5) == tree.root_at(5)
