"""Play today's daily deal to its end: `pip install websockets`, then `python thin_client.py [http://host:port] [name]`.

The policy is simple: a King if there is one, else a pair with the most tableau cards, else the next card.
"""

import argparse
import json
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.sync.client import ClientConnection, connect

ONE_PASS = 25  # draws and recycles; after so many without a removal nothing new can come


def new_guest(server: str, name: str) -> str:
    """Return the token of a new account that is declared as a program."""
    body = json.dumps({"display_name": name, "is_bot": True}).encode()
    request = urllib.request.Request(f"{server}/api/guests/", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        token: str = json.load(answer)["token"]
        return token


def cards_of(move: str) -> list[str]:
    return [] if move in ("D", "R") else [move[i : i + 2] for i in range(0, len(move), 2)]


def choose(legal: list[str], tableau: str) -> str:
    """Return the best move: removals first, and among them those that take the most tableau cards."""
    return max(legal, key=lambda move: (bool(cards_of(move)), sum(card in tableau for card in cards_of(move))))


def hear(socket: ClientConnection, *wanted: str, seconds: float | None = None) -> Any:
    """Return the next message of one of these types, skipping others."""
    while True:
        message = json.loads(socket.recv(timeout=seconds))
        if message["type"] == "refused":
            raise SystemExit(f"refused: {message['message']}")
        if message["type"] in wanted:
            return message


def play(socket: ClientConnection) -> None:
    """Play until the game ends or no progress is possible."""
    known = hear(socket, "state")
    tableau, fruitless = known["position"].split(" ")[0], 0
    while known["legal"] and fruitless <= ONE_PASS:
        move = choose(known["legal"], tableau)
        ask = {"type": "play", "id": known["version"], "version": known["version"], "move": move}
        socket.send(json.dumps(ask))
        known = hear(socket, "played")
        fruitless = 0 if cards_of(move) else fruitless + 1
        for card in cards_of(move):
            tableau = tableau.replace(card, "--")
        print(f"{move:5} {' '.join(known['revealed'])}")
    if known["outcome"] != "won":
        socket.send(json.dumps({"type": "resign", "id": known["version"], "version": known["version"]}))


def play_today(server: str, name: str) -> None:
    headers = {"Authorization": f"Bearer {new_guest(server, name)}"}
    with connect(server.replace("http", "ws", 1) + "/ws/daily/standard/", additional_headers=headers) as socket:
        play(socket)
        end = hear(socket, "finished")
        print(f"{end['result']} after {end['moves']} moves, {end['cards_left']} cards left:", end=" ")
        try:
            boards = hear(socket, "placed", seconds=10)["boards"]
        except TimeoutError:
            print("no place")  # no card has left, or the score is held back
            return
        table = next(board for board in boards if board["board"].endswith("fewest-moves"))
        print(f"place {table['rank']} of {table['of']} on {table['board']}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Play today's daily deal to its end.")
    parser.add_argument("server", nargs="?", default="http://127.0.0.1:8000", help="default: %(default)s")
    parser.add_argument("name", nargs="?", default="Thin client", help="the name on the score table")
    asked = parser.parse_args()
    try:
        play_today(asked.server.rstrip("/"), asked.name)
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{asked.server} refuses: {error}") from None
    except ConnectionClosed as error:
        raise SystemExit(f"{asked.server} has ended the connection: {error}") from None
    except (OSError, ValueError, HTTPException, InvalidHandshake, InvalidURI) as error:
        raise SystemExit(f"{asked.server} does not answer as a Pyramid server: {str(error).strip()}") from None
