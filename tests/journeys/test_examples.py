"""The examples in docs/examples are as README.md says."""

from __future__ import annotations

import os
import re
import sys

import pytest

from tests.listener import answering_oddly
from tests.processes import PROJECT, free_port, run


def test_the_thin_client_is_as_thin_as_the_readme_says() -> None:
    lines = (PROJECT / "docs/examples/thin_client.py").read_text().splitlines()
    assert len(lines) <= 100
    imports = {line.split()[1].split(".")[0] for line in lines if re.match(r"(from|import) ", line)}
    assert imports == {"argparse", "http", "json", "urllib", "typing", "websockets"}


@pytest.mark.parametrize(("example", "status"), [("thin_client.py", 1), ("verify_daily.py", 2)])
def test_an_example_says_in_a_sentence_that_the_server_is_down(example: str, status: int) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    ended = run([sys.executable, f"docs/examples/{example}", address], dict(os.environ))
    assert ended.returncode == status
    assert address in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_a_server_of_mallory_that_answers_with_no_http_was_not_checked_and_deletes_no_line_of_the_verifier() -> None:
    with answering_oddly(b"\x1b[2Jall is well") as address:
        ended = run([sys.executable, "docs/examples/verify_daily.py", address], dict(os.environ))
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"NOTHING WAS CHECKED: no answer to {address}/tlog/keys: ")
    assert ended.stderr.strip().isprintable()


def test_the_feed_of_a_club_says_in_a_sentence_what_is_missing() -> None:
    address = f"http://127.0.0.1:{free_port()}"
    command = [sys.executable, "docs/examples/club_feed.py", address, "2x9k4m7vq1ht"]
    assert run(command, {}).stderr.splitlines()[-1].endswith("set DISCORD_WEBHOOK in the environment")
    ended = run(command, dict(os.environ) | {"DISCORD_WEBHOOK": "http://127.0.0.1/"})
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert address in ended.stderr


@pytest.mark.parametrize("answer", [b"all is well", b"HTTP/1.0 200 OK\r\n\r\nall is well"], ids=["no HTTP", "no feed"])
@pytest.mark.parametrize("example", ["thin_client.py", "club_feed.py"])
def test_an_example_says_in_a_sentence_that_mallory_runs_another_kind_of_server(example: str, answer: bytes) -> None:
    with answering_oddly(answer) as address:
        command = [sys.executable, f"docs/examples/{example}", address, "2x9k4m7vq1ht"]
        ended = run(command, dict(os.environ) | {"DISCORD_WEBHOOK": address})
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert ended.stderr.startswith(address)


@pytest.mark.parametrize("example", ["thin_client.py", "verify_daily.py", "club_feed.py"])
def test_an_example_explains_its_arguments(example: str) -> None:
    ended = run([sys.executable, f"docs/examples/{example}", "--help"], dict(os.environ))
    assert ended.returncode == 0
    assert "server" in ended.stdout
