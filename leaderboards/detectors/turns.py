"""Two accounts that take turns: one draws through the stock and leaves, soon afterwards the other begins, and wins.

Nothing has to link the two. The evidence is an e-value by permutation. Take the newest deals that the one left and the
other won. If neither knows of the other, then on working days, and on weekends, the time of day at which the winner
begins is exchangeable between those deals, whatever the habits of both: any other assignment of these times to these
deals was as likely. With T deals on which it fell into the time after the other had left, and any x,

    x^T / mean of x^T over all assignments

has mean 1; so has the mean over several x. Households whose members play after each other look like this as well.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from math import factorial
from typing import Any, NamedTuple

import numpy as np

from leaderboards.detectors.findings import Finding, Strength
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.naming import WATCHED_SHARE, Naming, naming
from leaderboards.detectors.scouting import drew_through_and_left, summary_of
from leaderboards.detectors.thresholds import THRESHOLDS

DETECTOR = "taking turns"
DAY_MS = 86_400_000
THURSDAY, SATURDAY = 3, 5  # 1970 began on a Thursday
BETS = np.array((3.0, 10.0, 30.0))  # the x
INNOCENT = (
    "People of one household who play after each other, and of whom one gives up.",
    "Two who play at a fixed hour, on a break or a train, that moves from day to day for both.",
)


class Visit(NamedTuple):
    """A first attempt at a deal that either looked through the stock and left, or won; times in ms since 1970."""

    game: str
    account: str
    deal: str
    started_ms: int
    ended_ms: int
    is_won: bool


def visit(game: RankedGame) -> Visit | None:
    """Return a game as a visit, None if it neither won nor looked through the stock and left."""
    is_won = game.play.position.is_won
    if not is_won and not drew_through_and_left(game.rules, *summary_of(game)):
        return None
    return Visit(game.id, game.account, game.deal, game.started_ms, game.ended_ms, is_won)


class Meeting(NamedTuple):
    """A deal that one account left and another one won."""

    left: Visit
    won: Visit

    @property
    def follows(self) -> bool:
        """Return whether the winner began soon after the other had left."""
        return self.would_follow(self.won.started_ms % DAY_MS)

    @property
    def is_weekend(self) -> bool:
        return (self.won.started_ms // DAY_MS + THURSDAY) % 7 >= SATURDAY

    def would_follow(self, time_of_day_ms: int) -> bool:
        """Return whether a start at another time of the day on which the winner played were soon after as well."""
        midnight = self.won.started_ms - self.won.started_ms % DAY_MS
        return 0 <= midnight + time_of_day_ms - self.left.ended_ms <= THRESHOLDS.turns_ms


def value(meetings: Sequence[Meeting]) -> float:
    """Return the e-value of the meetings of two accounts."""
    bets = np.ones(len(BETS))
    for is_weekend in (False, True):
        alike = [meeting for meeting in meetings if meeting.is_weekend is is_weekend]
        bets *= BETS ** sum(meeting.follows for meeting in alike) / _mean_over_permutations(alike)
    return float(bets.mean())


def _mean_over_permutations(meetings: Sequence[Meeting]) -> np.ndarray:
    """Return the mean of x^T over all assignments of the times to the meetings, for each x.

    A permanent, row by row: `sums` has, for each set of times that the rows so far have used, as the digits of its
    index, the sum over their assignments. All terms are positive, so nothing cancels.
    """
    times = [meeting.won.started_ms % DAY_MS for meeting in meetings]
    n = len(times)
    sums = np.zeros((2,) * n + (len(BETS),))
    sums[(0,) * n] = 1.0
    for meeting in meetings:
        added = np.zeros_like(sums)
        for place, time in enumerate(times):
            before: tuple[Any, ...] = (slice(None),) * place
            weight = BETS if meeting.would_follow(time) else 1.0
            added[(*before, 1)] += sums[(*before, 0)] * weight
        sums = added
    return np.asarray(sums[(1,) * n] / factorial(n))


@dataclass(slots=True)
class Pairs:
    """Everybody who left, with everybody who won the same deals; visits are added as they end."""

    _by_deal: dict[str, list[Visit]] = field(default_factory=lambda: defaultdict(list))
    _meetings: dict[tuple[str, str], deque[Meeting]] = field(
        default_factory=lambda: defaultdict(lambda: deque(maxlen=THRESHOLDS.turns_newest))
    )
    _values: dict[tuple[str, str], float] = field(default_factory=dict)

    def add(self, visit: Visit) -> None:
        """Add a visit, and the meetings with those at its deal."""
        for other in self._by_deal[visit.deal]:
            if other.is_won != visit.is_won and other.account != visit.account:
                left, won = (other, visit) if visit.is_won else (visit, other)
                pair = left.account, won.account
                self._meetings[pair].append(Meeting(left, won))
                self._values.pop(pair, None)
        self._by_deal[visit.deal].append(visit)

    def findings(self, pairs: int | None = None) -> Iterator[tuple[str, Finding]]:
        """Yield a finding for both accounts of each pair on the list of all that have met often enough.

        `pairs` is their number at most, if only those were added that may be listed.
        """
        met = {pair: tuple(meetings) for pair, meetings in self._meetings.items() if is_often(meetings)}
        values = {pair: self._value(pair) for pair in met}
        listed = naming(values.values(), len(met) if pairs is None else pairs, WATCHED_SHARE)
        for pair, reached in values.items():
            if reached >= listed.bar:
                both = findings(met[pair], reached, listed)
                yield from zip(pair, both, strict=True)

    def _value(self, pair: tuple[str, str]) -> float:
        if pair not in self._values:
            meetings = self._meetings[pair]
            is_worth_it = is_often([meeting for meeting in meetings if meeting.follows])
            self._values[pair] = value(meetings) if is_worth_it else 0.0  # less than it has, which accuses nobody
        return self._values[pair]


def findings(meetings: Sequence[Meeting], reached: float, listed: Naming) -> tuple[Finding, Finding]:
    """Return the finding about who left, and the one about who won."""
    following = [meeting for meeting in reversed(meetings) if meeting.follows]
    left, won = meetings[0].left.account, meetings[0].won.account
    minutes = THRESHOLDS.turns_ms // 60_000

    def finding(games: Iterable[str]) -> Finding:
        return Finding(
            detector=DETECTOR,
            strength=Strength.WATCH,
            score=reached,
            threshold=listed.bar,
            explanation=(
                f"Of the last {len(meetings)} deals of which {left} had drawn through the stock and left, and which "
                f"{won} won, {won} began {len(following)} within {minutes} minutes after {left} had left. If neither "
                f"knows of the other and the habits of both are the same on all working days, and on weekends, the "
                f"chance of as much is at most 1 in {reached:,.0f}; so few would be listed among {listed.accounts:,} "
                f"pairs that at most {listed.share:.0%} of them are there by chance. It is not evidence by itself."
            ),
            numbers={"deals": len(meetings), "in turn": len(following), "left": left, "won": won},
            innocent=INNOCENT,
            games=tuple(games),
        )

    return finding(meeting.left.game for meeting in following), finding(meeting.won.game for meeting in following)


def is_often(meetings: Sized) -> bool:
    return len(meetings) >= THRESHOLDS.turns_deals
