"""Anyone can follow a log from outside with what its server serves."""

from __future__ import annotations

import errno
import os
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from games.tlog import tree
from games.tlog.keys import log_keys, write_private
from games.tlog.models import LogTile
from games.tlog.notes import LOG, SecretKey
from games.tlog.signing import sign_log
from games.tlog.watching import keys_of, watch
from games.tlog.witnessing import Witness
from tests.games.tlog.test_tree import fill, numbered
from tests.guards import guards_dropped
from tests.listener import answering_oddly

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _own_key(tmp_path: Path, settings: Settings) -> None:
    settings.PYRAMID_LOG_KEY_FILE = tmp_path / "log_key"


def grow(size: int) -> None:
    with transaction.atomic():
        for number in range(tree.size_of_log(), size):
            tree.append(numbered(number), NOW)
    sign_log(NOW)


@pytest.mark.django_db(transaction=True)
def test_a_witness_follows_a_log_from_outside(live_server: LiveServer, tmp_path: Path) -> None:
    alarms: list[str] = []
    witness = Witness(tmp_path / "witness", "witness.example/w1", alarms.append)
    grow(3)
    witness.trust(keys_of(live_server.url))
    assert witness.trusted == [log_keys()[0].key]
    for size in (3, 5, 256, 300):
        grow(size)
        assert watch(live_server.url, witness, NOW).status == 200, size
        head = witness.last_head(log_keys()[0].key.name)
        assert head is not None
        assert (head.size, head.root) == (size, tree.root_at(size))
    assert alarms == []


@pytest.mark.django_db(transaction=True)
def test_the_command_of_a_witness_ends_with_an_error_for_a_forked_log(live_server: LiveServer, tmp_path: Path) -> None:
    said, complaints = StringIO(), StringIO()

    def look() -> None:
        call_command("witness", live_server.url, f"--folder={tmp_path / 'w'}", "--once", stdout=said, stderr=complaints)

    with pytest.raises(CommandError, match="no key of the log"):
        look()
    fill(4)
    sign_log(NOW)
    look()
    assert "signed: — witness.invalid/w1 " in said.getvalue()
    assert f"The key of the log: {log_keys()[0].key.text}" in said.getvalue()
    with guards_dropped(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_logleaf")
        cursor.execute("DELETE FROM games_logtile")
        cursor.execute("UPDATE games_logsize SET size = 0")
        cursor.execute("DELETE FROM games_checkpoint")
    log_keys()
    (tmp_path / "log_key.head").unlink()
    for number in range(10, 17):
        tree.append(numbered(number), NOW)
    sign_log(NOW)
    with pytest.raises(CommandError, match="the newest head was not signed"):
        look()
    assert "ALARM: localhost:8000/tlog/" in complaints.getvalue()
    assert "its 7 leaves do not continue the 4 from before" in complaints.getvalue()
    assert LogTile.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (["--folder=/proc/w"], "the folder /proc/w is of no use to the witness 'witness.example/w1': .*No such file"),
        (["--name=bad name"], "to the witness 'bad name': a name is written like"),
        (["--port=99999"], "cannot listen on 127.0.0.1 port 99999: .*0-65535"),
    ],
)
def test_the_command_of_a_witness_says_in_a_sentence_what_it_cannot_use(
    tmp_path: Path, wrong: list[str], complaint: str
) -> None:
    usual = [f"--folder={tmp_path / 'w'}", "--name=witness.example/w1", f"--key={log_keys()[0].key.text}"]
    with pytest.raises(CommandError, match=complaint):
        call_command("witness", "http://127.0.0.1:1", *usual, *wrong, stdout=StringIO())


@pytest.mark.parametrize("line", [b"\x1b[2J\x1b[31mall is well", b"HTTP/1.1 500 \x1b[2Jall is well"])
def test_a_log_of_mallory_that_answers_with_no_http_ends_no_witness_and_writes_nothing_over_its_alarms(
    tmp_path: Path, line: bytes
) -> None:
    complaints = StringIO()
    Witness(tmp_path / "w", "witness.example/w1", print).trust([SecretKey.made("mallory.example/log", LOG).key])
    with answering_oddly(line) as address, pytest.raises(CommandError, match="the newest head was not signed"):
        call_command("witness", address, f"--folder={tmp_path / 'w'}", "--once", stderr=complaints)
    assert f"{address} cannot be read: " in complaints.getvalue()
    assert complaints.getvalue().strip().isprintable()


def test_a_key_that_finds_no_space_leaves_no_half_of_it_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_private(tmp_path / "key", "PRIVATE+KEY+...")
    assert list(tmp_path.iterdir()) == []
