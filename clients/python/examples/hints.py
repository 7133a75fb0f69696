"""Practise with the server's hints: `python hints.py http://127.0.0.1:8000 --games 3`.

Follows every hint, and stops a game as soon as the server says that it can no longer be won.
"""

from __future__ import annotations

import argparse
import sys

from pyramid_client import Client, Game, PyramidError, Refused, api

MOST_MOVES = 200


def follow_hints(game: Game) -> None:
    """Play the server's hints, until the game ends or is lost."""
    while game.legal and not game.is_over and game.unwinnable is None and game.moves < MOST_MOVES:
        hint = game.hint()
        if hint.move is None:
            break
        game.play(hint.move)
        print(f"  {hint.move:5} {hint.reason}", flush=True)
    if not game.is_over:
        game.resign()


def main() -> None:
    parser = argparse.ArgumentParser(description="Practise with the server's hints.")
    parser.add_argument("server", help="such as http://127.0.0.1:8000")
    parser.add_argument("--rules", default="standard", help="a rule set (default: %(default)s)")
    parser.add_argument("--games", type=int, default=1, help="how many games (default: %(default)s)")
    asked = parser.parse_args()
    client = Client(asked.server)
    client.enter(api.guest("Learner", is_bot=True))
    for _ in range(asked.games):
        try:
            started = client.ask(api.start_practice(asked.rules, winnable="certified"))
        except Refused as refused:
            if refused.code not in {"no_certified_deal", "not_certifiable"}:
                raise
            started = client.ask(api.start_practice(asked.rules))
        with client.play(started.id) as game:
            follow_hints(game)
            print(f"{started.id}: {game.result} after {game.moves} moves", flush=True)


if __name__ == "__main__":
    try:
        main()
    except PyramidError as error:
        sys.exit(str(error))
