"""The achievements, with their titles and conditions. Their codes are permanent.

Each condition is a predicate on the totals of a player's games, seasons and cups, or on one win. None rewards wasting
time or playing endlessly, and none requires a hint. `awards.py` awards them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.play.models import GameKind
from games.rules import RULE_SETS, RuleSet
from games.statistics.models import Tally

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from leaderboards.cups.results import CupCareer
    from leaderboards.seasons.seasons import Place


class Win(NamedTuple):
    """A game that was won without hints."""

    rules: str
    moves: int
    elapsed_ms: int
    draws: int
    recycles: int
    undos: int

    @property
    def rule_set(self) -> RuleSet:
        return RULE_SETS[self.rules]


@dataclass(frozen=True, slots=True)
class Career:
    """The sums of a player's counted games, the honours of seasons, and cups. Streaks are the longest, in days."""

    tallies: Sequence[Tally] = ()
    days_played: int = 0
    days_won: int = 0
    seasons: Sequence[Place] = ()
    cups: Sequence[CupCareer] = ()

    def wins(self, kind: GameKind | None = None) -> int:
        """Return the number of wins, of one kind or of all."""
        return sum(tally.won for tally in self.tallies if kind in {None, tally.kind})

    def rules_won(self) -> set[str]:
        """Return the rule sets under which the player has won."""
        return {tally.rules for tally in self.tallies if tally.won}

    def near_par(self, most: int, kind: GameKind | None = None) -> int:
        """Return the number of wins with at most `most` moves over par."""
        return sum(sum(tally.over_par[: most + 1]) for tally in self.tallies if kind in {None, tally.kind})

    def has_won_under(self, rules: Callable[[RuleSet], object]) -> bool:
        """Return True if the player has won under one of the rule sets that a predicate selects."""
        return any(rules(RULE_SETS[slug]) for slug in self.rules_won() if slug in RULE_SETS)


@dataclass(frozen=True, slots=True)
class Achievement:
    """Something to achieve, by a career or by one win."""

    code: str
    title: str | _StrPromise
    text: str | _StrPromise
    of_career: Callable[[Career], object] | None = None
    of_win: Callable[[Win], object] | None = None


DAILY, RACE = GameKind.DAILY, GameKind.RACE
FEW_DRAWS = 8

ACHIEVEMENTS = (
    Achievement("first-win", pgettext_lazy("achievement", "Cleared"), _("Win a game."), lambda own: own.wins()),
    Achievement("daily-win", _("Deal of the day"), _("Win a daily deal."), lambda own: own.wins(DAILY)),
    Achievement("daily-wins-10", _("Ten days"), _("Win ten daily deals."), lambda own: own.wins(DAILY) >= 10),
    Achievement("daily-wins-100", _("A hundred days"), _("Win 100 daily deals."), lambda own: own.wins(DAILY) >= 100),
    Achievement("race-win", _("Off the line"), _("Clear the pyramid in a race."), lambda own: own.wins(RACE)),
    Achievement("race-wins-10", _("Racer"), _("Clear the pyramid in ten races."), lambda own: own.wins(RACE) >= 10),
    Achievement(
        "days-3", _("Back again"), _("Play the daily deal three days in a row."), lambda own: own.days_played >= 3
    ),
    Achievement("days-10", _("Habit"), _("Play the daily deal ten days in a row."), lambda own: own.days_played >= 10),
    Achievement(
        "days-30", _("A whole month"), _("Play the daily deal 30 days in a row."), lambda own: own.days_played >= 30
    ),
    Achievement(
        "days-won-3", _("On a roll"), _("Win the daily deal three days in a row."), lambda own: own.days_won >= 3
    ),
    Achievement(
        "days-won-10", _("Unbroken"), _("Win the daily deal ten days in a row."), lambda own: own.days_won >= 10
    ),
    Achievement(
        "days-won-30", _("Flawless month"), _("Win the daily deal 30 days in a row."), lambda own: own.days_won >= 30
    ),
    Achievement(
        "near-par",
        pgettext_lazy("achievement", "Close"),
        _("Win at most two moves over par."),
        lambda own: own.near_par(2),
    ),
    Achievement("at-par", _("Par"), _("Win in the fewest moves that win the deal."), lambda own: own.near_par(0)),
    Achievement("at-par-10", _("Scratch player"), _("Win ten games at par."), lambda own: own.near_par(0) >= 10),
    Achievement("daily-at-par", _("Perfect day"), _("Win a daily deal at par."), lambda own: own.near_par(0, DAILY)),
    Achievement("rules-5", _("Curious"), _("Win under five rule sets."), lambda own: len(own.rules_won()) >= 5),
    Achievement("rules-12", _("Traveller"), _("Win under twelve rule sets."), lambda own: len(own.rules_won()) >= 12),
    Achievement(
        "rules-all", _("Seven wonders"), _("Win under every rule set."), lambda own: own.rules_won() >= set(RULE_SETS)
    ),
    Achievement(
        "two-decks",
        _("Two decks"),
        _("Win a game of two decks."),
        lambda own: own.has_won_under(lambda rules: rules.decks == 2),
    ),
    Achievement(
        "face-down",
        _("In the dark"),
        _("Win a game whose covered cards lie face down."),
        lambda own: own.has_won_under(lambda rules: rules.face_down),
    ),
    Achievement(
        "cells", _("Parked"), _("Win a game that has cells."), lambda own: own.has_won_under(lambda rules: rules.cells)
    ),
    Achievement(
        "one-pass",
        _("One pass"),
        _("Win a game whose waste cannot be turned over."),
        lambda own: own.has_won_under(lambda rules: rules.stock_size and rules.recycles == 0),
    ),
    Achievement("no-undo", _("No regrets"), _("Win without undo or hint."), of_win=lambda win: not win.undos),
    Achievement(
        "no-recycle",
        _("Once through"),
        _("Win without turning the waste over, where you may."),
        of_win=lambda win: not win.recycles and win.rule_set.recycles != 0 and win.draws,
    ),
    Achievement(
        "few-draws",
        _("Thrifty"),
        _("Win the standard game with at most eight draws."),
        of_win=lambda win: win.rules == "standard" and win.draws <= FEW_DRAWS,
    ),
    Achievement(
        "in-two-minutes", _("Brisk"), _("Win within two minutes."), of_win=lambda win: win.elapsed_ms <= 120_000
    ),
    Achievement("in-a-minute", _("Sprint"), _("Win within a minute."), of_win=lambda win: win.elapsed_ms <= 60_000),
    Achievement(
        "season-top-10",
        _("Upper tenth"),
        _("End a season among the top 10%."),
        lambda own: any(place.top is not None for place in own.seasons),
    ),
    Achievement(
        "season-podium",
        _("Podium"),
        _("End a season among the first three."),
        lambda own: any(place.rank <= 3 for place in own.seasons),
    ),
    Achievement(
        "season-first",
        _("Champion"),
        _("End a season in first place."),
        lambda own: any(place.rank == 1 for place in own.seasons),
    ),
    Achievement("cup", _("In the draw"), _("Take part in a cup."), lambda own: own.cups),
    Achievement(
        "cup-final",
        _("Finalist"),
        _("Win your way into the final of a cup."),
        lambda own: any(cup.is_finalist for cup in own.cups),
    ),
    Achievement("cup-win", _("Cup winner"), _("Win a cup."), lambda own: any(cup.is_won for cup in own.cups)),
)
BY_CODE = {achievement.code: achievement for achievement in ACHIEVEMENTS}


def codes_of_career(career: Career) -> set[str]:
    """Return the codes of the achievements that a career earns."""
    return {each.code for each in ACHIEVEMENTS if each.of_career is not None and each.of_career(career)}


def codes_of_win(win: Win) -> set[str]:
    """Return the codes of the achievements that one win earns."""
    return {each.code for each in ACHIEVEMENTS if each.of_win is not None and each.of_win(win)}
