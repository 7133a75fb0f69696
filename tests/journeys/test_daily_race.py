"""A player's experience, with real processes and real sockets."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.journeys.conftest import Server
from tests.journeys.shell import code_under, shell
from tests.processes import PROJECT, run

sys.path.insert(0, str(PROJECT / "docs/examples"))
import thin_client

THIN_CLIENT = "docs/examples/thin_client.py"
# Who removes what can be removed, and draws otherwise, wins the first in 38 moves, and has no move left in the second.
WON_BY_REMOVING = (
    "Ac4h7h6s4dJd5hAhQh9hJs6d3cThJc9d8h3sKh8sKd7c4s9s6h5dTd2sTcAs4cQc3dQd2h3h7s2dJh8c7d5s8d6c5cQs9cKc2cKsTsAd"
)
WITHOUT_A_MOVE = (
    "8h5hKs4d9d2sJs4sAhTs7c8sQh3d2h6d5c5d6cJhKc3c9hAd6h7sAs3s8cTdQd2dQcJcKdTc6sKhJd4c7dQs3h4h5s9cAcTh8d7h2c9s"
)


def open_socket(server: Server, game: Any, token: str) -> ClientConnection:
    address = f"ws://127.0.0.1:{server.port}{game['socket']}"
    return connect(address, additional_headers={"Authorization": f"Bearer {token}"})


def ask(socket: ClientConnection, **message: object) -> Any:
    socket.send(json.dumps({"id": 1, **message}))
    return json.loads(socket.recv(timeout=180))


def test_the_thin_client_plays_todays_deal_and_appears_on_the_table(server: Server) -> None:
    played = subprocess.run(
        [sys.executable, THIN_CLIENT, server.url, "Ada's bot"], capture_output=True, text=True, timeout=180, check=True
    )
    assert "place 1 of 1" in played.stdout.splitlines()[-1]
    day = server.get("/api/daily/")["server_now"][:10]
    board = f"daily.{day}.standard.open-bots.fewest-moves"
    (row,) = server.get(f"/api/boards/{board}/")["rows"]
    assert (row["rank"], row["player"]["display_name"], row["player"]["is_bot"]) == (1, "Ada's bot", True)


def test_the_first_programs_of_a_newcomer_end_a_game_that_they_win_and_one_without_a_move(server: Server) -> None:
    guest = server.post("/api/guests/", {})
    token = guest["token"]

    def started(deck: str) -> str:
        command = [sys.executable, "-m", "tests.journeys.known_deal", guest["player"]["handle"], deck]
        ended = run(command, server.environment)
        assert ended.stdout, ended.stderr
        return ended.stdout

    game, lines = started(WON_BY_REMOVING), code_under("README.md", "A game in eleven lines of shell").splitlines()
    to_start = [number for number, line in enumerate(lines) if line.startswith(("token=", "game="))]
    lines[to_start[0]], lines[to_start[1]] = f"token={token}", f"game=$api/games/{game}"
    ended = json.loads(shell("\n".join(lines), server.url).splitlines()[-1])
    assert ended == {"result": "won", "moves": 38, "cards_left": 0}
    game = started(WITHOUT_A_MOVE)
    with open_socket(server, {"socket": f"/ws/games/{game}/"}, token) as socket:
        thin_client.play(socket)
        assert thin_client.hear(socket, "finished", seconds=60)["result"] == "stuck"


def test_a_killed_server_has_lost_no_acknowledged_move(server: Server) -> None:
    token = server.post("/api/guests/", {})["token"]
    game = server.post("/api/games/", {"kind": "daily", "rules": "standard"}, token)
    with open_socket(server, game, token) as socket:
        json.loads(socket.recv())
        seen = [ask(socket, type="play", version=version, move="D") for version in range(5)]
        socket.send(json.dumps({"type": "play", "id": 1, "version": 5, "move": "D"}))
        server.kill()
    server.start(is_cold=True)  # which takes longer than a heartbeat: there is downtime
    with open_socket(server, game, token) as socket:
        state = json.loads(socket.recv())
        # The sixth draw was on its way: it is either durable or was never made, and sending it again is safe.
        assert state["version"] in (5, 6)
        waste = state["position"].split(" ")[1].split("|")[0]
        assert waste.startswith("".join(card for played in seen for card in played["revealed"]))
        again = ask(socket, type="play", version=5, move="D")
        assert (again["type"], again["version"]) == ("played", 6)
        assert ask(socket, type="resign", version=6)["result"] == "resigned"
    record = server.get(f"/api/games/{game['id']}/record/", token)["record"]
    assert record.count("D@") == 6
    downtime = re.search(r'\[Downtime "(\d+)"\]', record)
    assert downtime, "the clock ran while no server was up"
    assert server.get(f"/api/games/{game['id']}/", token)["downtime_ms"] == int(downtime[1]) > 0


def test_a_message_that_is_too_long_closes_the_socket_with_the_code_that_says_so(server: Server) -> None:
    token = server.post("/api/guests/", {})["token"]
    game = server.post("/api/games/", {"kind": "daily", "rules": "standard"}, token)
    with open_socket(server, game, token) as socket:
        json.loads(socket.recv())
        assert ask(socket, type="ping", padding="x" * 5000)["code"] == "message_too_large"
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=180)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
