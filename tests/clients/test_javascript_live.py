"""The JavaScript client against the real server, as its README shows it, installed with npm."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.games.site.test_scripts import NODE, NPM, needs_node
from tests.journeys.conftest import Server
from tests.processes import PROJECT

PACKAGE = PROJECT / "clients" / "javascript"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package into a project of its own, packed as npm would publish it."""
    folder = tmp_path_factory.mktemp("installed")
    npm = [str(NPM), "--silent", "--offline", "--no-audit", "--no-fund"]
    packed = subprocess.run([*npm, "pack", str(PACKAGE)], cwd=folder, capture_output=True, text=True, check=True)
    subprocess.run([*npm, "install", packed.stdout.split()[-1]], cwd=folder, check=True, timeout=120)
    return folder


@needs_node
def test_the_bot_of_the_readme_plays_today_and_is_on_the_table_of_bots(server: Server, installed: Path) -> None:
    (code,) = re.findall(r"```js\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
    assert len(code.strip().splitlines()) <= 41
    (installed / "bot.mjs").write_text(code)
    command = [str(NODE), "--experimental-websocket", "--no-warnings", "bot.mjs", server.url, "The README's bot"]
    played = subprocess.run(command, cwd=installed, capture_output=True, text=True, timeout=60, check=False)
    assert played.returncode == 0, played.stderr
    day = server.get("/api/daily/")["server_now"][:10]
    rows = server.get(f"/api/boards/daily.{day}.standard.open-bots.fewest-moves/")["rows"]
    assert "The README's bot" in [row["player"]["display_name"] for row in rows]
    assert "open-bots.fewest-moves" in played.stdout
