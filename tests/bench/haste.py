"""The games that the rule about speed flags, by who plays: hands and connections are simulated, their times assumed.

    python -m tests.bench.haste [--games 1200]

Prints the table of docs/integrity.md. A game is a shuffled deal of `standard`, played by removing as many cards of the
tableau as possible, or else by drawing; the times are those of `KINDS`, in milliseconds.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import django

from games.deals.grading import greediest
from games.deals.shuffle import bytes_from, shuffled_deck
from games.rules import RULE_SETS, Kind, Position
from games.rules.pace import Paced, hasty_actions

GAMES, SEED = 1200, "haste"
RULES = RULE_SETS["standard"]


class Who(NamedTuple):
    """A player: medians of the times for a removal and a draw, their spread, and how often a connection is silent.

    A client that waits for answers sends what a hand did during a silence one by one, each a round trip after the one
    before; another client sends it at once.
    """

    removal: float
    draw: float
    spread: float
    delay: float = 30
    silent_every: float = 0
    silence: tuple[float, float] = (0, 0)
    waits: bool = True


KINDS = {
    "at an ordinary pace": Who(1800, 700, 0.5),
    "at an ordinary pace, on a line of 400 ms": Who(1800, 700, 0.5, delay=400),
    "quickly, with a mouse": Who(500, 200, 0.3),
    "quickly, on a train, with a client that waits for answers": Who(500, 200, 0.3, 60, 10_000, (1000, 4000)),
    "quickly, over wifi that stalls": Who(500, 200, 0.3, 30, 5_000, (300, 1200)),
    "with draws drummed on a key": Who(400, 100, 0.1),
    "quickly, on a train, with a client that does not wait": Who(500, 200, 0.3, 60, 10_000, (1000, 4000), waits=False),
    "a program at 90 ms an action": Who(90, 90, 0.05, delay=5),
    "a program at 110 ms an action": Who(110, 110, 0.05, delay=5),
}


def removals_of(number: int) -> tuple[list[bool], bool]:
    """Return for each action of a game if it removes cards, and True if the game is won."""
    position = Position.deal(shuffled_deck(bytes_from(f"{SEED}/{number}"), RULES.deck_size), RULES)
    actions: list[bool] = []
    idle = 0
    while not position.is_won and idle <= RULES.stock_size + 1 and position.legal_moves:
        removals = [move for move in position.legal_moves if move.kind is Kind.REMOVE]
        position = position.after(greediest(position, removals) if removals else position.legal_moves[0])
        idle = 0 if removals else idle + 1
        actions.append(bool(removals))
    return actions, position.is_won


def arrivals(actions: list[bool], who: Who, dice: Random) -> Iterator[int]:
    """Yield when each action reaches the server."""
    made = arrived = 0.0
    begins = ends = dice.expovariate(1 / who.silent_every) if who.silent_every else float("inf")
    for is_removal in actions:
        made += (who.removal if is_removal else who.draw) * dice.lognormvariate(0, who.spread)
        while ends < made:
            begins = ends + dice.expovariate(1 / who.silent_every)
            ends = begins + dice.uniform(*who.silence)
        sent = ends if begins < made else made
        arrived = max(sent + who.delay * dice.uniform(0.5, 1), arrived + who.delay * who.waits)
        yield round(arrived)


def share_flagged(who: Who, games: list[tuple[list[bool], bool]]) -> float:
    from leaderboards.boards.submission import MOST_HASTY  # noqa: PLC0415  needs the settings

    dice = Random(SEED)
    flagged = 0
    for actions, is_won in games:
        paced = [Paced(*each) for each in zip(actions, arrivals(actions, who, dice), strict=True)]
        flagged += hasty_actions(paced, is_won=is_won) > MOST_HASTY
    return flagged / len(games)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    parser = ArgumentParser()
    parser.add_argument("--games", type=int, default=GAMES)
    games = [removals_of(number) for number in range(parser.parse_args().games)]
    print(f"{sum(is_won for _, is_won in games)} of {len(games)} games are won.")
    for name, who in KINDS.items():
        print(f"| {name} | {share_flagged(who, games):.1%} |")


if __name__ == "__main__":
    main()
