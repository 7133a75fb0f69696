"""Play today's daily deal to its end: `pip install websockets`, then `python thin_client.py [http://host:port] [name]`.

The policy is simple: a King if there is one, else a pair with the most tableau cards, else the next card.
"""

import json
import sys
import urllib.request
from typing import Any

from websockets.sync.client import ClientConnection, connect

SERVER = sys.argv[1].rstrip("/") if len(sys.argv) > 1 else "http://127.0.0.1:8000"
NAME = sys.argv[2] if len(sys.argv) > 2 else "Thin client"
ONE_PASS = 25  # draws and the recycle; nothing new comes after so many without a removal


def call(path: str, body: object = None, token: str = "") -> Any:
    """Return the JSON answer of the REST API; a body makes it a POST."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(SERVER + path, data, headers)) as answer:
        return json.load(answer)


def show(position: str) -> None:
    """Print the pyramid, its gone cards as dots, and the talon below."""
    tableau, talon, recycles = position.split(" ")[:3]
    rows = tableau.split("/")
    for row in rows:
        cards = [row[i : i + 2].replace("--", " .") for i in range(0, len(row), 2)]
        print("  " * (len(rows) - len(cards)) + "  ".join(cards))
    waste, stock = talon.split("|")
    print(f"waste {waste[-2:] or '-'}   stock {len(stock) // 2}   recycles {recycles}\n")


def cards_of(move: str) -> list[str]:
    return [] if move in ("D", "R") else [move[i : i + 2] for i in range(0, len(move), 2)]


def after(position: str, move: str, revealed: list[str]) -> str:
    """Return the position text after a move: the server tells only what the move turned up."""
    tableau, talon, recycles = position.split(" ")
    waste, stock = talon.split("|")
    if move == "D":
        waste, stock = waste + (revealed or [stock[:2]])[0], stock[2:]
    elif move == "R":
        waste, stock = "", waste
    for card in cards_of(move):
        tableau, waste = tableau.replace(card, "--"), waste.replace(card, "")
    return f"{tableau} {waste}|{stock} {recycles}"


def choose(legal: list[str], position: str) -> str:
    """Prefer removals, and among them those that take the most from the tableau."""
    tableau = position.split(" ", maxsplit=1)[0]
    return max(legal, key=lambda move: (bool(cards_of(move)), sum(card in tableau for card in cards_of(move))))


def play(socket: ClientConnection) -> Any:
    """Play until the game ends and return the `finished` message."""
    state = json.loads(socket.recv())
    position, legal, version, fruitless = state["position"], state["legal"], state["version"], 0
    while True:
        show(position)
        if not legal or fruitless > ONE_PASS:
            socket.send(json.dumps({"type": "resign", "id": version, "version": version}))
            return json.loads(socket.recv())
        move = choose(legal, position)
        print(move)
        socket.send(json.dumps({"type": "play", "id": version, "version": version, "move": move}))
        played = json.loads(socket.recv())
        if played["type"] != "played":
            raise SystemExit(played)
        position, legal, version = after(position, move, played["revealed"]), played["legal"], played["version"]
        fruitless = 0 if cards_of(move) else fruitless + 1
        if not legal:  # won
            return json.loads(socket.recv())


def main() -> None:
    guest = call("/api/guests/", {"display_name": NAME, "is_bot": True})
    handle, token = guest["player"]["handle"], guest["token"]
    game = call("/api/games/", {"kind": "daily", "rules": "standard"}, token)
    headers = {"Authorization": f"Bearer {token}"}
    with connect(SERVER.replace("http", "ws", 1) + game["socket"], additional_headers=headers) as socket:
        result = play(socket)
    board = f"daily.{game['day']}.standard.{game['division']}-bots.fewest-moves"
    table = call(f"/api/boards/{board}/?around={handle}")
    place = next(row["rank"] for row in table["rows"] if row["player"]["handle"] == handle)
    print(f"{result['result']} after {result['moves']} moves, {result['cards_left']} cards left:", end=" ")
    print(f"place {place} of {table['count']} on today's table of programs")


if __name__ == "__main__":
    main()
