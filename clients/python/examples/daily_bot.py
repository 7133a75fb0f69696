"""Play every daily deal, day after day: `python daily_bot.py http://127.0.0.1:8000 "Ada's bot"`.

The strategy looks one removal ahead: it takes what leaves the most removals behind, prefers cards of the tableau, and
keeps the cards that still have a partner in the tableau. The token is kept in a file, so that the bot keeps its
account.
"""

from __future__ import annotations

import argparse
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

from pyramid_client import Client, Game, PyramidError, Refused, Unreachable, api
from pyramid_client.answers import Day

RANKS = "A23456789TJQK"
ONE_PASS = 52  # draws and recycles without a removal; after that nothing new comes up
AFTER_MIDNIGHT, AFTER_OUTAGE = 5.0, 60.0  # seconds


def cards_of(move: str) -> list[str]:
    named = move.removeprefix("P")
    return [] if len(move) == 1 else [named[place : place + 2] for place in range(0, len(named), 2)]


def partners(card: str, cards: str) -> int:
    """Return how many cards of a text add up to thirteen with a card."""
    wanted = 12 - RANKS.index(card[0]) - 1
    return sum(cards[place] == RANKS[wanted] for place in range(len(cards) - 1)) if wanted >= 0 else 0


def value(move: str, game: Game) -> tuple[int, int, int]:
    """Return what a move is worth: removals left behind, cards of the tableau, and how few others need its cards."""
    cards = cards_of(move)
    if not cards:
        return (-1, 0, 0)
    left = sum(not set(cards) & set(cards_of(other)) for other in game.legal if cards_of(other))
    from_tableau = sum(card in game.tableau for card in cards)
    return (left, from_tableau, -sum(partners(card, game.tableau) for card in cards))


def play(game: Game) -> None:
    fruitless = 0
    while game.legal and not game.is_over and fruitless <= ONE_PASS:
        move = max(game.legal, key=lambda move: value(move, game))
        game.play(move)
        fruitless = 0 if cards_of(move) else fruitless + 1
    if not game.is_over:
        game.resign()


def play_day(client: Client, day: Day) -> None:
    """Play every deal that is open to this account and not over yet."""
    for deal in day.dailies:
        if not (deal.yours and deal.state == "open"):
            continue
        with client.play_today(deal.rules) as game:
            play(game)
            places = ", ".join(f"{place.rank} of {place.of} on {place.board}" for place in game.placements())
            print(f"{day.day} {deal.rules}: {game.result} after {game.moves} moves; {places}", flush=True)


def same_player(client: Client, name: str, kept: Path) -> None:
    """Use the token of an earlier run, or become a new guest that says it is a bot."""
    if kept.exists():
        client.token = kept.read_text().strip()
        try:
            client.ask(api.me())
        except Refused:
            client.token = ""
    if not client.token:
        client.enter(api.guest(name, is_bot=True))
        kept.touch(mode=0o600)
        kept.write_text(client.token)


def seconds_to_midnight(now: datetime) -> float:
    tomorrow = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return (tomorrow - now).total_seconds()


def main() -> None:
    parser = argparse.ArgumentParser(description="Play every daily deal, day after day.")
    parser.add_argument("server", help="such as http://127.0.0.1:8000")
    parser.add_argument("name", nargs="?", default="Daily bot", help="the name on the score tables")
    parser.add_argument("--token", type=Path, default=Path("daily_bot.token"), help="file that keeps the account's key")
    parser.add_argument("--once", action="store_true", help="play today only")
    asked = parser.parse_args()
    client = Client(asked.server)
    while True:
        try:
            if not client.token:
                same_player(client, asked.name, asked.token)
            play_day(client, client.ask(api.today()))
            pause = seconds_to_midnight(client.ask(api.today()).server_now) + AFTER_MIDNIGHT
        except Unreachable as error:
            if asked.once:
                raise
            print(error, flush=True)
            pause = AFTER_OUTAGE
        if asked.once:
            return
        time.sleep(pause)


if __name__ == "__main__":
    try:
        main()
    except PyramidError as error:
        sys.exit(str(error))
