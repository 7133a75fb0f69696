"""The steps of docs/tutorial.md do what it says."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.journeys.conftest import Server
from tests.processes import PROJECT

TUTORIAL = (PROJECT / "docs" / "tutorial.md").read_text()
STEPS = re.findall(r"Save this as\s`(\w+\.py)`.*?```python\n(.*?)```", TUTORIAL, re.DOTALL)
Bot = subprocess.Popen[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of all steps."""
    folder = tmp_path / "my-bot"
    folder.mkdir()
    for name, text in STEPS:
        (folder / name).write_text(text)
    return folder


def start(file: str, folder: Path, server: Server) -> Bot:
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    command = [sys.executable, file, server.url]
    return Bot(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def output(step: Bot) -> str:
    said, _ = step.communicate(timeout=180)
    assert step.returncode == 0, said
    return said


def test_three_steps_lead_from_nothing_to_a_place_on_the_table(server: Server, folder: Path) -> None:
    assert [name for name, _ in STEPS] == ["account.py", "first_move.py", "bot.py"]
    account = output(start("account.py", folder, server))
    assert account.startswith("I am My first bot, handle guest-")
    assert output(start("account.py", folder, server)) == account
    position, legal, after = output(start("first_move.py", folder, server)).splitlines()
    assert position.endswith("???????????????????????????????????????????????? *")
    assert after.startswith(f"after {legal.split()[1]}, legal:")

    server.stop(signal.SIGTERM)
    with start("bot.py", folder, server) as bot:
        assert bot.stdout
        assert bot.stdout.readline().startswith("no connection: ")
        server.start()
        result = [line for line in output(bot).splitlines() if not line.startswith("no connection")]
    assert re.fullmatch(r"(won|stuck|resigned) after \d+ moves, \d+ cards left", result[0])
    assert f"place 1 of 1: {server.url}/boards/daily." in result[1]
    assert output(start("bot.py", folder, server)).splitlines() == result


def test_a_bot_that_does_not_say_so_gets_no_place_and_ends_all_the_same(server: Server, folder: Path) -> None:
    for file, told, instead in (
        ("account.py", '"is_bot": True', '"is_bot": False'),
        ("bot.py", "seconds=10", "seconds=1"),
    ):
        text = (folder / file).read_text()
        assert told in text
        (folder / file).write_text(text.replace(told, instead))
    _, place = output(start("bot.py", folder, server)).splitlines()
    assert place.startswith("no place: ")
