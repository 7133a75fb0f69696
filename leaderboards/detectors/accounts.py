"""The detectors' state of an account: plain data, updated by one game at the cost of that game alone."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from leaderboards.detectors import (
    clock_slope,
    copied_line,
    foresight,
    machine_timing,
    near_par,
    preview,
    sampled_orders,
    scouting,
    skill_jump,
)
from leaderboards.detectors.findings import Finding, Strength
from leaderboards.detectors.fortunes import Fortune
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.thresholds import GAP_BINS, STANDARD, THRESHOLDS, VERSION

KEPT_PREVIEWS = 10
NO_BETS = Fortune.of(len(THRESHOLDS.slips))
NO_PAR_FACTORS = (1.0,) * len(STANDARD.alternatives)
NO_PAR = Fortune.of(len(NO_PAR_FACTORS))
TIMING = ("machine timing", "timing signs")
MANY_RISE = "Many accounts that rise on one day: suspect a fault of the server first."
INNOCENT = (
    "Chance: at most one honest account in as many as the threshold says ever comes here.",
    MANY_RISE,
)
INNOCENT_OF_BOTH = (
    "A better player than any known: who often ends at par, without seeing a card, raises the half that is near par.",
    MANY_RISE,
)

logger = logging.getLogger(__name__)


class Level(StrEnum):
    """The conclusion from an account's evidence."""

    NONE = "none"
    WATCH = "watch"
    CASE = "case"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of one ranked game, as plain data; a part is None if its detector does not apply."""

    game: str
    bets: tuple[foresight.Bet, ...] | None = None
    par_factors: tuple[float, ...] | None = None
    gap_bin: int | None = None
    match: copied_line.Match | None = None
    hand: machine_timing.Hand | None = None
    slope: float | None = None
    distance: float | None = None
    look: preview.Preview | None = None
    scouted: scouting.Scouting | None = None
    failed: tuple[str, ...] = ()  # detectors that raised


@dataclass(frozen=True, slots=True)
class Known:
    """The data that a game is compared with; a detector whose data is missing does not apply."""

    orders: sampled_orders.Orders | None = None
    cohort: copied_line.Cohort | None = None
    linked: tuple[tuple[RankedGame, float], ...] = ()  # games of linked accounts, and the strength of the link, 0 to 1
    crowd: scouting.Crowd = scouting.NOBODY


def evidence_of(
    game: RankedGame, known: Known, watch: Callable[[str], AbstractContextManager[object]] = nullcontext
) -> Evidence:
    """Run every detector on a game, each inside the context that `watch` returns for its name.

    A failure is logged and recorded, and does not stop the others.
    """
    orders = known.orders if foresight.is_exact_for(game) else None
    cohort = known.cohort
    questions: dict[str, Callable[[], object]] = {
        "bets": lambda: foresight.bets(game, orders) if orders else None,
        "par_factors": lambda: near_par.factors(game),
        "gap_bin": lambda: near_par.gap_bin(game),
        "match": lambda: cohort.best_match(copied_line.line_of(game)) if cohort else None,
        "hand": lambda: machine_timing.read(game),
        "slope": lambda: clock_slope.slope(game),
        "distance": lambda: skill_jump.distance(game),
        "look": lambda: preview.preview(game, known.linked),
        "scouted": lambda: scouting.scouting(game, known.linked, known.crowd),
    }
    answers: dict[str, Any] = {}
    failed = []
    for name, ask in questions.items():
        try:
            with watch(name):
                answers[name] = ask()
        except Exception:
            logger.exception("the detector of %s failed on game %s", name, game.id)
            failed.append(name)
    return Evidence(game.id, **answers, failed=tuple(failed))


@dataclass(frozen=True, slots=True)
class Account:
    """The detectors' state of an account. Games are added in order, only first attempts at ranked deals.

    A new version of the thresholds or of the sampler begins with a new state: choosing the better of two would spoil
    the error bound of the sequential test.
    """

    account: str
    version: str = VERSION
    games: int = 0
    foresight_fortune: Fortune = NO_BETS
    near_par_fortune: Fortune = NO_PAR
    highest: float = 1.0  # of the mean of the two
    highest_of_both: float = 1.0  # of the mean, where near par is calibrated and not the only evidence
    cards: int = 0
    telling: tuple[foresight.TellingBet, ...] = ()
    bins: tuple[int, ...] = (0,) * (len(GAP_BINS) + 1)
    copies: copied_line.Copies = field(default_factory=copied_line.Copies)
    timing: machine_timing.Timing = field(default_factory=machine_timing.Timing)
    clock: clock_slope.Clock = field(default_factory=clock_slope.Clock)
    skill: skill_jump.Skill = field(default_factory=skill_jump.Skill)
    previews: tuple[preview.Preview, ...] = ()
    scoutings: tuple[scouting.Scouting, ...] = ()

    @property
    def combined(self) -> float:
        """The mean of both fortunes; their product would count the same choices twice."""
        return (self.foresight_fortune.value + self.near_par_fortune.value) / 2

    def after(self, seen: Evidence) -> Account:
        """Return the account with one more game."""
        if self.version != VERSION:
            raise ValueError(f"this account was judged by version {self.version}, not {VERSION}")
        return self._with_fortunes(seen)._with_signs(seen)

    def _with_fortunes(self, seen: Evidence) -> Account:
        bets = seen.bets or ()
        bins = tuple(count + (place == seen.gap_bin) for place, count in enumerate(self.bins))
        later = replace(
            self,
            games=self.games + 1,
            foresight_fortune=self.foresight_fortune.after(foresight.factors(bets)),
            near_par_fortune=self.near_par_fortune.after(seen.par_factors or NO_PAR_FACTORS),
            cards=self.cards + len(bets),
            telling=foresight.most_telling(seen.game, bets, self.telling),
            bins=bins if seen.par_factors else self.bins,
        )
        is_both = sum(later.bins) > 0 and later.foresight_fortune.value >= THRESHOLDS.support
        both = max(later.highest_of_both, later.combined if is_both else 1.0)
        return replace(later, highest=max(later.highest, later.combined), highest_of_both=both)

    def _with_signs(self, seen: Evidence) -> Account:
        looks = (*self.previews, seen.look)[-KEPT_PREVIEWS:] if seen.look else self.previews
        scoutings = (*self.scoutings, seen.scouted)[-KEPT_PREVIEWS:] if seen.scouted else self.scoutings
        return replace(
            self,
            copies=self.copies.after(seen.game, seen.match) if seen.match else self.copies,
            timing=self.timing.after(seen.game, seen.hand) if seen.hand else self.timing,
            clock=self.clock if seen.slope is None else self.clock.after(seen.game, seen.slope),
            skill=self.skill if seen.distance is None else self.skill.after(seen.distance),
            previews=looks,
            scoutings=scoutings,
        )


def findings(account: Account) -> list[Finding]:
    """Return all findings about an account, the strongest first."""
    found = [
        foresight.finding(account.foresight_fortune, account.telling, account.cards),
        near_par.finding(account.near_par_fortune, account.bins),
        copied_line.finding(account.copies),
        *machine_timing.findings(account.timing),
        clock_slope.finding(account.clock),
        skill_jump.finding(account.skill),
        preview.finding(account.previews),
        scouting.finding(account.scoutings),
    ]
    signs = [finding for finding in found if finding]
    together = _together(account, signs)
    return sorted([*together, *signs], key=lambda finding: list(Strength).index(finding.strength))


def level(found: Iterable[Finding]) -> Level:
    """Return the level that findings lead to."""
    strengths = {finding.strength for finding in found}
    if Strength.CASE in strengths:
        return Level.CASE
    return Level.WATCH if Strength.WATCH in strengths else Level.NONE


def _together(account: Account, signs: list[Finding]) -> list[Finding]:
    """Return the findings that need two kinds of evidence."""
    found = []
    if account.highest_of_both >= THRESHOLDS.case:
        found.append(_finding_of_both(account))
    timed = [finding for finding in signs if finding.detector in TIMING]
    if account.foresight_fortune.highest >= THRESHOLDS.case and timed:
        found.append(_finding_with_timing(account, timed))
    return found


def _finding_of_both(account: Account) -> Finding:
    """Return the finding with two bounds: of the bet, whatever the skill, and of the mean, under an assumption."""
    highest, bet = account.highest_of_both, account.foresight_fortune.highest
    return Finding(
        detector="foresight and near par",
        strength=Strength.CASE,
        score=highest,
        threshold=THRESHOLDS.case,
        explanation=(
            f"Over {account.games} games the mean of two fortunes reached {highest:,.0f}: choices that fit cards not "
            "yet seen, and games near the fewest moves possible. Whatever the skill, a player who cannot see the stock "
            f"has at most 1 chance in {bet:,.0f} to ever make as much of the choices alone. The chance to reach the "
            f"mean is at most 1 in {highest:,.0f} if no honest player is nearer par than the best known, who end "
            "exactly at par in two games of five at most; for a better one it is unknown."
        ),
        numbers={
            "foresight now": account.foresight_fortune.value,
            "highest foresight": bet,
            "near par now": account.near_par_fortune.value,
            "highest mean": highest,
            "games": account.games,
        },
        innocent=INNOCENT_OF_BOTH,
        games=tuple(dict.fromkeys(telling.game for telling in account.telling)),
    )


def _finding_with_timing(account: Account, timed: list[Finding]) -> Finding:
    return Finding(
        detector="foresight and timing",
        strength=Strength.CASE,
        score=account.foresight_fortune.highest,
        threshold=THRESHOLDS.case,
        explanation=(
            f"The choices fit cards not yet seen (fortune {account.foresight_fortune.highest:,.0f}), and the times are "
            f"not those of a hand: {timed[0].explanation}"
        ),
        numbers={"foresight": account.foresight_fortune.highest, "games": account.games},
        innocent=(*INNOCENT, *timed[0].innocent),
        games=timed[0].games,
    )
