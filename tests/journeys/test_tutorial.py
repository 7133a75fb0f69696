"""The steps of docs/tutorial.md do what it says."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from websockets.sync.server import ServerConnection, serve

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


def start(file: str, folder: Path, url: str) -> Bot:
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    command = [sys.executable, file, url]
    return Bot(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def output(step: Bot) -> str:
    said, _ = step.communicate(timeout=180)
    assert step.returncode == 0, said
    return said


def test_three_steps_lead_from_nothing_to_a_place_on_the_table(server: Server, folder: Path) -> None:
    assert [name for name, _ in STEPS] == ["account.py", "first_move.py", "bot.py"]
    account = output(start("account.py", folder, server.url))
    assert account.startswith("I am My first bot, handle guest-")
    assert output(start("account.py", folder, server.url)) == account
    position, legal, after = output(start("first_move.py", folder, server.url)).splitlines()
    assert position.endswith("???????????????????????????????????????????????? *")
    assert after.startswith(f"after {legal.split()[1]}, legal:")

    server.stop(signal.SIGTERM)
    with start("bot.py", folder, server.url) as bot:
        assert bot.stdout
        assert bot.stdout.readline().startswith("no connection: ")
        server.start()
        result = [line for line in output(bot).splitlines() if not line.startswith("no connection")]
    assert re.fullmatch(r"(won|stuck|resigned) after \d+ moves, \d+ cards left", result[0])
    assert f"place 1 of 1: {server.url}/boards/daily." in result[1]
    assert output(start("bot.py", folder, server.url)).splitlines() == result


def test_a_bot_that_does_not_say_so_gets_no_place_and_ends_all_the_same(server: Server, folder: Path) -> None:
    for file, told, instead in (
        ("account.py", '"is_bot": True', '"is_bot": False'),
        ("bot.py", "seconds=10", "seconds=1"),
    ):
        text = (folder / file).read_text()
        assert told in text
        (folder / file).write_text(text.replace(told, instead))
    _, place = output(start("bot.py", folder, server.url)).splitlines()
    assert place.startswith("no place: ")


@pytest.fixture
def restarted() -> Iterator[tuple[str, list[str]]]:
    """The address of a server that restarts after its first word, and where its sockets are opened."""
    opened: list[str] = []

    def talk(socket: ServerConnection) -> None:
        assert socket.request
        opened.append(socket.request.path)
        state = {"type": "state", "game": "7f3k", "position": "Kc", "version": 60, "legal": []}
        state |= {"outcome": "stuck", "result": "stuck"}
        end = {"type": "finished", "result": "stuck", "moves": 60, "cards_left": 1}
        for message in (state, end, {"type": "placed", "boards": []}) if opened[1:] else (state,):
            socket.send(json.dumps(message))
        socket.close(1012)

    with serve(talk, "127.0.0.1", 0) as server:
        serving = Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.socket.getsockname()[1]}", opened
        server.shutdown()
        serving.join()


def test_a_bot_comes_back_to_its_game_and_not_to_the_next_day(restarted: tuple[str, list[str]], folder: Path) -> None:
    url, opened = restarted
    (folder / "token.txt").write_text("the token of alice")
    assert output(start("bot.py", folder, url)) == "stuck after 60 moves, 1 cards left\n"
    assert opened == ["/ws/daily/standard/", "/ws/games/7f3k/"]
