"""The detectors' state of an account: plain data, updated by one game at the cost of that game alone."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
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
    order_bet,
    preview,
    scouting,
    skill_jump,
)
from leaderboards.detectors.certified_orders import CertifiedOrders
from leaderboards.detectors.deal_orders import DealOrders
from leaderboards.detectors.findings import Finding, Strength, strongest_first
from leaderboards.detectors.fortunes import Fortune, SettledBet
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.naming import BOTH, FORESIGHT, NEAR_PAR, DayList, Naming
from leaderboards.detectors.sampled_orders import Orders
from leaderboards.detectors.thresholds import GAP_BINS, STANDARD, THRESHOLDS, VERSION

KEPT_PREVIEWS = 10
NO_BETS = Fortune.of(len(THRESHOLDS.slips))
NO_PAR_FACTORS = (1.0,) * len(STANDARD.alternatives)
NO_PAR = Fortune.of(len(NO_PAR_FACTORS))
MANY_RISE = "Many accounts that rise on one day: suspect a fault of the server first."
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
    order_bets: tuple[order_bet.OrderBet, ...] | None = None
    par_factors: tuple[float, ...] | None = None
    gap_bin: int | None = None
    match: copied_line.Match | None = None
    hand: machine_timing.Hand | None = None
    slope: float | None = None
    distance: float | None = None
    look: preview.Preview | None = None
    scouted: scouting.Scouting | None = None
    failed: tuple[str, ...] = ()  # detectors that raised

    @property
    def foresight_factors(self) -> tuple[float, ...]:
        """The factor by which the bets of the game multiply each stake; its rules have one kind of bet at most."""
        return order_bet.factors(self.order_bets) if self.order_bets else foresight.factors(self.bets or ())


@dataclass(frozen=True, slots=True)
class Known:
    """The data that a game is compared with; a detector whose data is missing does not apply."""

    orders: DealOrders | None = None
    cohort: copied_line.Cohort | None = None
    linked: tuple[tuple[RankedGame, float], ...] = ()  # games of linked accounts, and the strength of the link, 0 to 1
    crowd: scouting.Crowd = scouting.NOBODY


def evidence_of(
    game: RankedGame, known: Known, watch: Callable[[str], AbstractContextManager[object]] = nullcontext
) -> Evidence:
    """Run every detector on a game, each inside the context that `watch` returns for its name.

    A failure is logged and recorded, and does not stop the others.
    """
    orders, cohort = known.orders, known.cohort
    questions: dict[str, Callable[[], object]] = {
        "bets": lambda: foresight.bets(game, orders) if isinstance(orders, Orders) else None,
        "order_bets": lambda: order_bet.order_bets(game, orders) if isinstance(orders, CertifiedOrders) else None,
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

    @property
    def both(self) -> float:
        """The mean of both fortunes where near par is calibrated and not the only evidence, else 0."""
        is_both = sum(self.bins) > 0 and self.foresight_fortune.value >= THRESHOLDS.support
        return self.combined if is_both else 0.0

    def after(self, seen: Evidence) -> Account:
        """Return the account with one more game."""
        if self.version != VERSION:
            raise ValueError(f"this account was judged by version {self.version}, not {VERSION}")
        return self._with_fortunes(seen)._with_signs(seen)

    def _with_fortunes(self, seen: Evidence) -> Account:
        bets: tuple[SettledBet, ...] = (*(seen.bets or ()), *(seen.order_bets or ()))
        bins = tuple(count + (place == seen.gap_bin) for place, count in enumerate(self.bins))
        return replace(
            self,
            games=self.games + 1,
            foresight_fortune=self.foresight_fortune.after(seen.foresight_factors),
            near_par_fortune=self.near_par_fortune.after(seen.par_factors or NO_PAR_FACTORS),
            cards=self.cards + len(bets),
            telling=foresight.most_telling(seen.game, bets, self.telling),
            bins=bins if seen.par_factors else self.bins,
        )

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


# The values of which a day makes lists, by detector.
VALUES: dict[str, Callable[[Account], float]] = {
    FORESIGHT: lambda account: account.foresight_fortune.value,
    BOTH: lambda account: account.both,
    NEAR_PAR: lambda account: account.near_par_fortune.value,
}


def lists_of(accounts: Sequence[Account]) -> list[DayList]:
    """Return the lists at the close of a day of all accounts that were judged."""
    return [DayList.of(name, [value(one) for one in accounts], len(accounts)) for name, value in VALUES.items()]


def findings(account: Account, lists: Iterable[DayList] = ()) -> list[Finding]:
    """Return all findings about an account, the strongest first; those of its fortunes, by the lists of a day."""
    found = [
        *_listed(account, lists),
        copied_line.finding(account.copies),
        *machine_timing.findings(account.timing),
        clock_slope.finding(account.clock),
        skill_jump.finding(account.skill),
        preview.finding(account.previews),
        scouting.finding(account.scoutings),
    ]
    return strongest_first(filter(None, found))


def level(found: Iterable[Finding]) -> Level:
    """Return the level that findings lead to."""
    strengths = {finding.strength for finding in found}
    if Strength.CASE in strengths:
        return Level.CASE
    return Level.WATCH if Strength.WATCH in strengths else Level.NONE


def _listed(account: Account, lists: Iterable[DayList]) -> Iterator[Finding]:
    """Yield a finding for each list that has the account."""
    for one in lists:
        value = VALUES[one.detector](account)
        for listed, strength in ((one.named, Strength.CASE), (one.watched, Strength.WATCH)):
            if value >= listed.bar:
                yield _finding_of(one.detector, account, listed, strength)
                break


def _finding_of(detector: str, account: Account, listed: Naming, strength: Strength) -> Finding:
    if detector == FORESIGHT:
        return foresight.finding(account.foresight_fortune, account.telling, account.cards, listed, strength)
    if detector == NEAR_PAR:
        return near_par.finding(account.near_par_fortune, account.bins, listed)
    return _finding_of_both(account, listed, strength)


def _finding_of_both(account: Account, listed: Naming, strength: Strength) -> Finding:
    """Return the finding with two bounds: of the bet, whatever the skill, and of the mean, under an assumption."""
    mean, bet = account.both, account.foresight_fortune.value
    return Finding(
        detector=BOTH,
        strength=strength,
        score=mean,
        threshold=listed.bar,
        explanation=(
            f"Over {account.games} games the mean of two fortunes is {mean:,.0f}: choices that fit cards not yet seen, "
            "and games near the fewest moves possible. Whatever the skill, a player who cannot see the stock has at "
            f"most 1 chance in {bet:,.0f} to have as much of the choices alone by a given day. The chance to have the "
            f"mean is at most 1 in {mean:,.0f} if no honest player is nearer par than the best known, who end exactly "
            f"at par in two games of five at most; for a better one it is unknown. So is this: {listed.sentence(mean)}"
        ),
        numbers={
            "foresight": bet,
            "near par": account.near_par_fortune.value,
            "mean": mean,
            "games": account.games,
        },
        innocent=INNOCENT_OF_BOTH,
        games=tuple(dict.fromkeys(telling.game for telling in account.telling)),
    )
