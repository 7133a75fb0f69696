"""Show the effect of each action of a finished game on the shortest way to the win."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError

from games.analysis.analysing import Verdict
from games.analysis.models import GameAnalysis
from games.analysis.requests import compute_analysis, request_analysis
from games.doors.commands import LightCommand
from games.doors.refusals import Refusal
from games.play.sessions import find_game
from games.runtime.clock import clock

CRITICAL = "!"


class Command(LightCommand):
    help = (
        "Show the analysis of a finished game whose deal is public: for each action the fewest actions "
        "to the win before and after it. Computes the analysis if there is none yet."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py analyse 26b7f3kq2m8p1xz"
        parser.add_argument("game", help="the identifier of the game")

    def handle(self, *, game: str, **options: Any) -> None:
        now = clock.now()
        try:
            requested = request_analysis(game, find_game(game).player, now)
        except Refusal as error:
            raise CommandError(str(error)) from error
        if requested.state != GameAnalysis.State.DONE:
            compute_analysis(requested, now)
        if requested.result is None:
            raise CommandError(f"the analysis of game {game} failed; the log says why")
        self.stdout.write("\n".join(lines(requested.result)))


def lines(analysis: dict[str, Any]) -> Iterator[str]:
    yield f"shortest   {distance(analysis['shortest'])}"
    yield f"lost at    {'-' if analysis['lost_at'] is None else analysis['lost_at']}"
    yield f"accuracy   {'-' if analysis['accuracy'] is None else analysis['accuracy']}"
    yield ""
    yield "version  action  before   after    cost  verdict    better"
    for step in analysis["steps"]:
        yield step_line(step, is_critical=step["version"] in analysis["critical"]).rstrip()


def step_line(step: dict[str, Any], *, is_critical: bool) -> str:
    mark = CRITICAL if is_critical else " "
    cost = "-" if step["cost"] is None else f"{step['cost']:+}"
    better = "" if step["verdict"] == Verdict.BEST or step["best"] is None else step["best"]
    before, after = distance(step["before"]), distance(step["after"])
    return (
        f"{step['version']:7}{mark} {step['action']:6} {before:>7} {after:>7} {cost:>7}  {step['verdict']:9}  {better}"
    )


def distance(value: object) -> str:
    return "none" if value is None else str(value)
