"""The guides in docs/ do what they say: each is carried out with a real server, which is that of own-server.md."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from configparser import ConfigParser
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from socket import create_connection
from threading import Thread
from time import time
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from standardwebhooks import Webhook

from tests.journeys.conftest import Server
from tests.journeys.guides import block, blocks
from tests.journeys.test_tutorial import STEPS
from tests.processes import MANAGE, PROJECT, free_port, own_database, run
from tests.with_servers import started, wait_for


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    settings = dict(word.split("=", 1) for word in shlex.split(block("own-server.md", "sh")) if word != "export")
    with own_database(tmp_path_factory.mktemp("guides")) as own:
        yield own | settings | {"PYRAMID_WEBHOOKS_TO_PRIVATE_ADDRESSES": "yes"}


@pytest.fixture(scope="module")
def server(environment: dict[str, str]) -> Iterator[Server]:
    with closing(Server(environment)) as server:
        server.start()
        yield server


def test_a_class_can_enter_at_once_from_one_address(server: Server) -> None:
    names = {server.post("/api/guests/", {"display_name": f"Pupil {n}"})["player"]["display_name"] for n in range(35)}
    assert len(names) == 35
    with urlopen(Request(f"{server.url}/", headers={"Host": "pyramid.local"})) as page:
        assert "Play today" in page.read().decode()
    with urlopen(f"{server.url}/api/daily/") as answer:
        policies = [daily["policy"] for daily in json.load(answer)["dailies"]]
    assert {policy["minimum_age_days"] for policy in policies} == {10000}  # nobody gets a deal and table of their own


def test_a_timer_plays_each_day_once(server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "my-bot"
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    for name, text in STEPS:
        (folder / name).write_text(text)
    service, timer = (ConfigParser(interpolation=None, delimiters="=") for _ in range(2))
    for unit, text in zip((service, timer), blocks("bot-every-day.md", "ini"), strict=True):
        unit.optionxform = str  # type: ignore[assignment,method-assign]
        unit.read_string(text.replace("http://127.0.0.1:8000", server.url).replace("%h", str(tmp_path)))
    assert timer["Timer"]["OnCalendar"].endswith("UTC")
    command = service["Service"]["ExecStart"].split()
    play = partial(
        subprocess.run,
        command,
        cwd=service["Service"]["WorkingDirectory"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    runs = [play(check=True).stdout for _ in range(2)]
    assert "place 1 of 1" in runs[0]
    assert runs[0] == runs[1]
    (folder / "token.txt").write_text("0" * 64 + "\n")  # an editor ends the line
    assert "received 4401" in play(check=False).stderr


class Discord(BaseHTTPRequestHandler):
    server: Any

    def do_POST(self) -> None:
        self.server.messages.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def send_forged(address: str) -> None:
    """Send events without the key, which are rejected."""
    for stamp in (str(int(time())), "soon"):
        headers = {"webhook-id": "1", "webhook-timestamp": stamp, "webhook-signature": "v1,\xe9"}
        with pytest.raises(HTTPError, match="400"):
            urlopen(Request(address, b'{"type":"test","data":{}}', headers))


def send_a_week(address: str, key: str, club: str) -> None:
    """Send the event of a week whose first club has a name."""
    first = {"name": club, "points": 1440}
    week = {"week": "2026-W47", "rules": "standard", "division": "open", "clubs": [first]}
    body, now = json.dumps({"type": "club.week", "data": week}), datetime.now(UTC)
    headers = {"webhook-id": "2", "webhook-timestamp": str(int(now.timestamp()))}
    signed = headers | {"webhook-signature": Webhook(key).sign("2", now, body)}
    urlopen(Request(address, body.encode(), signed)).close()


def test_a_test_event_reaches_the_channel_as_do_names_without_markup_and_a_forged_event_does_not(
    server: Server, environment: dict[str, str], tmp_path: Path
) -> None:
    relay, port = tmp_path / "relay.py", free_port()
    relay.write_text(block("discord.md", "python"))
    address = f"http://127.0.0.1:{port}/"
    added = run([*MANAGE, "webhook", "add", address, "day.opened", "day.final", "club.week"], environment)
    key = added.stdout.strip()
    assert key.startswith("whsec_"), added.stderr
    with HTTPServer(("127.0.0.1", 0), Discord) as discord, (tmp_path / "relay.log").open("w+") as said:
        channel: Any = discord
        channel.messages = []
        Thread(target=discord.serve_forever, args=(0.01,), daemon=True).start()
        settings = {
            "DISCORD_WEBHOOK": f"http://127.0.0.1:{discord.server_address[1]}/",
            "PYRAMID_WEBHOOK_KEY": key,
            "PORT": str(port),
        }
        command = [sys.executable, str(relay)]
        with started(command, signal.SIGTERM, env=os.environ | settings, stdout=said, stderr=said) as running:
            wait_for(running, lambda: create_connection(("127.0.0.1", port)).close(), ConnectionRefusedError)
            sent = run([*MANAGE, "webhook", "test", address], environment)
            send_forged(address)
            send_a_week(address, key, "[_Win_](https://mallory.example)")
            discord.shutdown()
            discord.server_close()
            unsent = run([*MANAGE, "webhook", "test", address], environment)
        said.seek(0)
        log = said.read()
    assert sent.returncode == 0, sent.stderr
    assert re.search(r'^signed     msg_\S+\.\d+\.\{"type":"test",', sent.stdout)
    assert "answer     204" in sent.stdout
    assert [message["content"] for message in channel.messages] == [
        "The webhook works",
        r"First club of 2026\-W47\, standard open\: \[\_Win\_\]\(https\:\/\/mallory\.example\)\, 1440 points",
    ]
    assert "answer     502" in unsent.stdout
    assert "the server will send it again" in log
    assert "Traceback" not in log


def test_a_relay_names_what_is_missing_in_its_environment(tmp_path: Path) -> None:
    (tmp_path / "relay.py").write_text(block("discord.md", "python"))
    ended = run([sys.executable, str(tmp_path / "relay.py")], {"DISCORD_WEBHOOK": "http://127.0.0.1/"})
    assert ended.stderr == "Set PYRAMID_WEBHOOK_KEY in the environment.\n"


def test_a_webhook_that_does_not_answer_is_named(environment: dict[str, str]) -> None:
    assert "one event or more" in run([*MANAGE, "webhook", "add", "http://127.0.0.1/", "day.over"], environment).stderr
    assert "webhook add" in run([*MANAGE, "webhook", "test", "http://nowhere.example/"], environment).stderr


def test_the_notices_of_a_club_reach_the_channel_once(server: Server, tmp_path: Path) -> None:
    founder = server.post("/api/guests/", {"display_name": "*Fern* <@1>"})["token"]
    server.post("/api/me/claim/", {"handle": "fern", "password": "correct horse battery"}, founder)
    club = server.post("/api/clubs/", {"name": "Oxbow Club"}, founder)

    def sent(channel: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(PROJECT / "docs/examples/club_feed.py"), server.url, club["id"]]
        environment = os.environ | {"DISCORD_WEBHOOK": channel}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    with HTTPServer(("127.0.0.1", 0), Discord) as discord:
        channel: Any = discord
        channel.messages = []
        Thread(target=discord.serve_forever, args=(0.01,), daemon=True).start()
        address = f"http://127.0.0.1:{discord.server_address[1]}/"
        assert "sent the next time" in sent(f"http://127.0.0.1:{free_port()}/").stderr
        assert [sent(address).stdout for _ in range(2)] == ["1 sent\n", "0 sent\n"]
        guest = server.post("/api/guests/", {"display_name": "[Bob](http://x.example)"})["token"]
        server.post(f"/api/clubs/{club['id']}/join/", {}, guest)
        assert sent(address).stdout == "1 sent\n"
        discord.shutdown()
    assert [message["content"] for message in channel.messages] == [
        "\\*Fern\\* \\<\\@1\\> joined\\.\n",
        "\\[Bob\\]\\(http\\:\\/\\/x\\.example\\) joined\\.\n",
    ]
    assert {str(message["allowed_mentions"]) for message in channel.messages} == {"{'parse': []}"}
