"""Show a game step by step as text."""

import os
import pydoc
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError
from django.core.management.color import supports_color
from django.utils.termcolors import colorize

from games.doors.commands import LightCommand
from games.play.refusals import UnknownGame
from games.play.sessions import find_game
from games.play.visibility import record_for
from games.rules import Card, Play, Position, Record, RulesError
from games.rules.drawing import draw
from games.runtime.clock import clock

HEADING = re.compile(r"^(?:Game|Step) .*$", re.MULTILINE)
RED_CARD = re.compile(r"\b[A2-9TJQK][dhDH]\b")


class Command(LightCommand):
    help = (
        "Show a game step by step: the board, the action, its time, the move count and the cards that it turned up. "
        "While the deal can still be played, cards that the player has not seen stay hidden."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py replay 26b7f3kq2m8p1xz --step 12"
        parser.add_argument("game", help="the identifier of the game")
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--all", action="store_true", help="every step (the default)")
        which.add_argument("--step", type=int, metavar="N", help="only the board after action N; 0 is the layout")

    def handle(self, *, game: str, step: int | None, **options: Any) -> None:
        try:
            found = find_game(game)
            record = record_for(found, found.player, clock.now())  # as its player may read it
            texts = list(steps(record))
        except UnknownGame as error:
            raise CommandError(str(error)) from error
        except RulesError as error:
            # The text of such an error may name unseen cards.
            raise CommandError(f"the log of game {game} does not replay: {error.code}") from error
        if step is not None and not 0 <= step < len(texts):
            raise CommandError(f"game {game} has steps 0 to {len(texts) - 1}, no step {step}")
        text = "\n\n".join([heading(record), *(texts if step is None else [texts[step]])])
        if options["force_color"] or (supports_color() and not options["no_color"]):
            text = coloured(text)
        if self.stdout.isatty():
            os.environ.setdefault("LESS", "FRX")  # keep colours, and stay out of the way of a short text
            pydoc.pager(text)
        else:
            self.stdout.write(text)


def coloured(text: str) -> str:
    """Return a text with bold headings and red cards for a terminal."""
    text = HEADING.sub(lambda found: colorize(found[0], opts=("bold",)), text)
    return RED_CARD.sub(lambda found: colorize(found[0], fg="red"), text)


def heading(record: Record) -> str:
    result = record.result or "not finished"
    return f"Game {record.game}: {record.rules.slug}, {record.player}, {record.started}, {result}"


def steps(record: Record) -> Iterator[str]:
    """Replay a record and draw its layout and the board after each action."""
    play = Play(Position.deal(record.deck, record.rules))
    yield f"Step 0\n{draw(play.position)}"
    for timed in record.actions:
        revealed = play.do(*timed)
        yield f"{caption(play, revealed)}\n{draw(play.position)}"


def caption(play: Play, revealed: tuple[Card, ...]) -> str:
    action, at_ms = play.actions[-1]
    turned_up = f", turned up {' '.join(card.text for card in revealed)}" if revealed else ""
    return f"Step {play.version}: {action.text} at {at_ms / 1000:.3f} s, move count {play.moves}{turned_up}"
