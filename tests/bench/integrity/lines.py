"""Copied lines: cohorts in which everybody plays for themselves, and copyists who follow somebody."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import environ
from random import Random

from tqdm import tqdm

from games.rules import DRAW, UNDO, Action, Position
from games.solver.orders import Pyramid
from leaderboards.detectors import copied_line
from leaderboards.detectors.copied_line import Cohort, Copies, Line, line_of
from leaderboards.detectors.games import RankedGame
from tests.integrity.store import played, winnable_deal
from tests.integrity.styles import STYLES, Choices, Chooser

STYLES_HERE = ("careless", "casual", "thinker", "champion")
DEALS = int(environ.get("COPIED_DEALS") or 12)
EACH = int(environ.get("COPIED_EACH") or 12)  # players of each style, and copyists
ON_THEIR_OWN = 1 / 6  # of a copyist's games
HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class _Day:
    deal: Position
    lines: dict[str, Line]
    choices: dict[str, Choices]


def report(seed: str) -> None:
    """Print how many copyists and how many honest players are found."""
    days = [_day(seed, number) for number in tqdm(range(DEALS), desc="days of copied lines")]
    honest = [_copies(days, name) for name in days[0].lines]
    copyists = [_copies(days, *_copyist(days, seed, number)) for number in range(EACH)]
    found = [sum(copied_line.finding(copies) is not None for copies in group) for group in (honest, copyists)]
    most = max(copies.fortune.highest for copies in honest)
    print(
        f"\ncopied lines, {DEALS} games, cohorts of {len(honest)}: {found[1]} of {len(copyists)} copyists found, "
        f"{found[0]} of {len(honest)} honest; highest honest odds {most:.3g}, "
        f"lowest of a copyist {min(copies.fortune.highest for copies in copyists):.3g}"
    )


def _day(seed: str, number: int) -> _Day:
    dice = Random(f"{seed}/lines/{number}")
    deal = winnable_deal(dice)
    pyramid = Pyramid(deal)
    choices = {
        f"{style} {place}": Chooser(deal, pyramid, STYLES[style], dice).play()
        for style in STYLES_HERE
        for place in range(EACH)
    }
    lines = {name: _line(deal, name, own, dice.randrange(20) * HOUR_MS) for name, own in choices.items()}
    return _Day(deal, lines, choices)


def _line(deal: Position, name: str, choices: Choices, started_ms: int) -> Line:
    return line_of(RankedGame(name, name, "", started_ms, played(deal, choices)))


def _copies(days: list[_Day], name: str, own: dict[int, Line] | None = None) -> Copies:
    """Return the matches of an account, a player of the cohort or, with lines of their own, a copyist."""
    copies = Copies()
    for number, day in enumerate(days):
        line = own[number] if own else day.lines[name]
        cohort = Cohort([*day.lines.values(), line] if own else day.lines.values())
        match = cohort.best_match(line)
        copies = copies.after(f"{name} {number}", match) if match else copies
    return copies


def _copyist(days: list[_Day], seed: str, number: int) -> tuple[str, dict[int, Line]]:
    """Return somebody who follows one good player's lines with jitter, and plays a game now and then."""
    dice = Random(f"{seed}/copyist/{number}")
    original = dice.choice([name for name in days[0].lines if name.startswith(("thinker", "champion"))])
    lines = {}
    for place, day in enumerate(days):
        source = day.choices[f"careless {dice.randrange(EACH)}" if dice.random() < ON_THEIR_OWN else original]
        copied = _line(day.deal, f"copyist {number}", _with_jitter(source, dice), 0)
        later = day.lines[original].ended_ms + HOUR_MS
        lines[place] = replace(copied, started_ms=later, ended_ms=later + HOUR_MS)
    return f"copyist {number}", lines


def _with_jitter(choices: Choices, dice: Random) -> Choices:
    """Return the same line with draws taken back and made again, as a nervous hand does."""
    actions: list[Action] = []
    for action in choices.actions:
        actions.append(action)
        if action is DRAW and dice.random() < 0.05:
            actions += [UNDO, DRAW]
    return Choices(tuple(actions), choices.result)
