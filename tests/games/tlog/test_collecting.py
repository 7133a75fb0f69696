"""The worker shows new heads to witnesses, and believes nothing of what they answer but their signatures."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from games.management.commands.witness import Listener, handler_of
from games.tlog import leaves, tree
from games.tlog.collecting import collect_cosignatures, signed_today
from games.tlog.heads import Head
from games.tlog.keys import log_keys
from games.tlog.models import Checkpoint, Cosignature, LogLeaf, WitnessState
from games.tlog.notes import WITNESS, Key, Note, SecretKey
from games.tlog.signing import LogForked, sign_log
from games.tlog.witnessing import Witness
from tests.games.tlog.test_tree import fill, numbered
from tests.games.tlog.test_witnessing import LEAVES, tiles

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = NOW + timedelta(minutes=5)


@pytest.fixture(autouse=True)
def _own_key(tmp_path: Path, settings: Settings) -> None:
    settings.PYRAMID_LOG_KEY_FILE = tmp_path / "log_key"


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = Listener(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def witnesses(tmp_path: Path, settings: Settings) -> Iterator[list[Witness]]:
    """Three witnesses that this server asks."""
    made = [Witness(tmp_path / f"w{number}", f"witness.example/w{number}", print) for number in range(3)]
    with listening(handler_of(made[0])) as a, listening(handler_of(made[1])) as b, listening(handler_of(made[2])) as c:
        settings.PYRAMID_WITNESSES = [(w.key.text, url) for w, url in zip(made, (a, b, c), strict=True)]
        for witness in made:
            witness.trust([secret.key for secret in log_keys()])
        yield made


def newest_note(client: Client) -> Note:
    return Note.from_text(client.get("/tlog/checkpoint").content.decode())


def test_new_heads_are_signed_by_all_witnesses(db: None, witnesses: list[Witness], client: Client) -> None:
    for size in (2, 5):
        for number in range(tree.size_of_log(), size):
            tree.append(numbered(number), NOW)
        sign_log(NOW)
        collect_cosignatures(NOW)
        signed = [key for key, _ in newest_note(client).signed_by([witness.key for witness in witnesses])]
        assert signed == [witness.key for witness in witnesses]
    assert {witness.last_head(log_keys()[0].key.name) for witness in witnesses} == {
        Head(log_keys()[0].key.name, 5, tree.root_at(5))
    }
    assert signed_today(NOW) == 3
    collect_cosignatures(LATER)
    assert Cosignature.objects.count() == 6
    collect_cosignatures(NOW + timedelta(days=1))
    assert Cosignature.objects.count() == 9
    assert signed_today(NOW + timedelta(days=2)) == 0


def test_a_server_that_forgot_its_exchanges_learns_what_witnesses_have_seen(db: None, witnesses: list[Witness]) -> None:
    fill(2)
    sign_log(NOW)
    collect_cosignatures(NOW)
    WitnessState.objects.all().delete()
    tree.append(numbered(2), NOW)
    sign_log(NOW)
    collect_cosignatures(NOW)
    assert signed_today(NOW) == 3
    assert set(WitnessState.objects.values_list("size", "mistake")) == {(3, "")}


def shown_another_history(witnesses: list[Witness], size: int) -> None:
    """Have witnesses sign a log with the key of this server that has other leaves."""
    from games.tlog.merkle import root  # noqa: PLC0415

    secret = log_keys()[0]
    text = Head(secret.key.name, size, root(tiles(LEAVES[:size]), size)).text
    for witness in witnesses:
        assert witness.add_checkpoint(f"old 0\n\n{text}\n{secret.sign(text)}", NOW).status == 200


def test_a_server_restored_from_an_older_database_is_refused_and_learns_how_to_go_on(
    db: None, witnesses: list[Witness], capsys: pytest.CaptureFixture[str]
) -> None:
    shown_another_history(witnesses, 5)
    fill(2)
    sign_log(NOW)
    with pytest.raises(LogForked, match=r"seen 5 leaves, and this server has signed 2: .* --new-log"):
        collect_cosignatures(NOW)
    with pytest.raises(LogForked):  # until somebody does something about it
        collect_cosignatures(NOW + timedelta(seconds=10))
    for number in range(2, 6):
        tree.append(numbered(number), NOW)
    sign_log(NOW)
    with pytest.raises(LogForked, match=r"seen other leaves among the first 5: this database is a fork"):
        collect_cosignatures(LATER)
    assert not Cosignature.objects.exists()
    old = Checkpoint.objects.last()
    assert old is not None
    call_command("log_key", "--new-log")
    new = Key.from_text(capsys.readouterr().out.splitlines()[-1], 1)
    for witness in witnesses:
        witness.trust([new])
    sign_log(LATER)
    collect_cosignatures(LATER)
    assert signed_today(NOW) == 3
    named = leaves.predecessor(old.origin, 6, tree.root_at(6))
    assert LogLeaf.objects.filter(text=named.text).exists()


def test_a_new_key_is_announced_and_signs_beside_the_old_one_until_that_retires(
    db: None, witnesses: list[Witness], client: Client
) -> None:
    old = log_keys()[0].key
    fill(1)
    call_command("log_key", "--replace")
    new = log_keys()[0].key
    assert LogLeaf.objects.last().text == leaves.key(new.public).text  # type: ignore[union-attr]
    sign_log(NOW)
    collect_cosignatures(NOW)
    assert [key for key, _ in newest_note(client).signed_by([new, old])] == [new, old]
    assert signed_today(NOW) == 3
    call_command("log_key", "--retire")
    tree.append(numbered(9), NOW)
    sign_log(LATER)
    assert [key for key, _ in newest_note(client).signed_by([new, old])] == [new]


def answering(status: int, body: bytes) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: Any, **more: Any) -> None:
            pass

    return Handler


OTHER = SecretKey.made("witness.example/w0", WITNESS)


@pytest.mark.parametrize(
    ("status", "body", "mistake"),
    [
        (200, b"", "its answer is not a signature"),
        (200, b"<html>", "its answer is not a signature"),
        (200, b"\xff\xff", "its answer is not a signature"),
        (200, OTHER.sign("text\n", 1).encode(), "its answer has no signature of its key"),
        (200, b"x" * 100_000, "more than 16384 bytes"),
        (302, b"", "HTTP 302"),
        (404, b"<b>no</b>", "HTTP 404"),
        (409, b"99999999999999999999\n", "HTTP 409"),
        (409, b"-1\n", "HTTP 409"),
        (500, b"", "HTTP 500"),
    ],
)
def test_what_a_witness_answers_instead_of_a_signature_is_not_kept(
    db: None, settings: Settings, status: int, body: bytes, mistake: str
) -> None:
    key = SecretKey.made("witness.example/w0", WITNESS).key
    fill(1)
    sign_log(NOW)
    with listening(answering(status, body)) as url:
        settings.PYRAMID_WITNESSES = [(key.text, url)]
        collect_cosignatures(NOW)
        assert mistake in WitnessState.objects.get().mistake
        assert not Cosignature.objects.exists()


def test_a_forged_signature_of_a_witness_is_not_kept(db: None, settings: Settings) -> None:
    secret = SecretKey.made("witness.example/w0", WITNESS)
    fill(1)
    sign_log(NOW)
    with listening(answering(200, secret.sign("another head\n", 1).encode())) as url:
        settings.PYRAMID_WITNESSES = [(secret.key.text, url)]
        collect_cosignatures(NOW)
    assert "the signature of witness.example/w0 is wrong" in WitnessState.objects.get().mistake


def test_a_witness_that_does_not_answer_is_asked_again_a_minute_later(
    db: None, settings: Settings, witnesses: list[Witness]
) -> None:
    key, address = settings.PYRAMID_WITNESSES[0]
    settings.PYRAMID_WITNESSES = [(key, "http://127.0.0.1:1")]
    fill(1)
    sign_log(NOW)
    collect_cosignatures(NOW)
    settings.PYRAMID_WITNESSES = [(key, address)]
    collect_cosignatures(NOW + timedelta(seconds=59))
    assert signed_today(NOW) == 0
    collect_cosignatures(NOW + timedelta(seconds=61))
    assert signed_today(NOW) == 1


def test_mallory_fills_no_log_of_a_witness_with_tracebacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handler = handler_of(Witness(tmp_path / "w", "witness.example/w1", print))
    with listening(handler) as address:
        connection = HTTPConnection(address.removeprefix("http://"), timeout=60)
        connection.request("POST", "/add-checkpoint", headers={"Content-Length": "9" * 5000})
        assert connection.getresponse().status == 404
        connection.close()
    with Listener(("127.0.0.1", 0), handler) as server:
        for error in (ConnectionResetError, KeyError):
            assert "Traceback" not in capsys.readouterr().err
            try:
                raise error
            except error:
                server.handle_error(None, None)
    assert "Traceback" in capsys.readouterr().err


def test_without_witnesses_nothing_is_asked(db: None) -> None:
    collect_cosignatures(NOW)
    fill(1)
    sign_log(NOW)
    collect_cosignatures(NOW)
    assert (signed_today(NOW), WitnessState.objects.count()) == (0, 0)


def test_the_page_of_fairness_says_who_signs(db: None, client: Client, settings: Settings) -> None:
    assert (
        "It has no witnesses: nobody but this server has signed it."
        in client.get("/fairness/?day=2026-11-20").content.decode()
    )
    settings.PYRAMID_WITNESSES = [(OTHER.key.text, "http://127.0.0.1:1")]
    assert "Today 0 of its 1 witnesses have signed it." in client.get("/fairness/?day=2026-11-21").content.decode()
    fill(1)
    sign_log(NOW)
    assert client.get("/tlog/keys").content.decode().split() == [log_keys()[0].key.text, OTHER.key.text]
