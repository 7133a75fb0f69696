"""Conclude from a corpus, account by account and day by day, as plain JSON values."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import msgspec

from leaderboards.detectors import turns
from leaderboards.detectors.accounts import Account, Level, findings, level, lists_of
from leaderboards.detectors.findings import Finding, strongest_first
from leaderboards.detectors.naming import DayList
from leaderboards.judging.days import Day, DayJudged, Judged
from leaderboards.judging.links import links_of
from leaderboards.judging.reading import Corpus, Placed

DIGITS = 6
DAY_MS = 86_400_000
LEVELS = [Level.CASE, Level.WATCH, Level.NONE]
NOTHING = LEVELS.index(Level.NONE)
SLICE = 40  # games judged by a process at a time


@dataclass(slots=True)
class _Case:
    """An account while its games are added in order."""

    state: Account
    watched_after: int | None = None
    case_after: int | None = None
    found: list[Finding] = field(default_factory=list)
    false_records: list[Finding] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)

    def add(self, game: Judged) -> None:
        if game.false_record:
            self.false_records.append(game.false_record)
        if game.evidence:
            self.state = self.state.after(game.evidence)
            self.failed |= set(game.evidence.failed)
        self.conclude([])

    def conclude(self, lists: Sequence[DayList], in_turn: Sequence[Finding] = ()) -> None:
        """Note what is found about the account as it is now, and by the lists at the close of a day."""
        self.found = [*self.false_records, *strongest_first([*findings(self.state, lists), *in_turn])]
        if self.level is not Level.NONE and self.watched_after is None:
            self.watched_after = self._games
        if self.level is Level.CASE and self.case_after is None:
            self.case_after = self._games

    @property
    def level(self) -> Level:
        return level(self.found)

    @property
    def _games(self) -> int:
        return self.state.games + len(self.false_records)


def days_of(corpus: Corpus) -> list[Day]:
    """Return the days of a corpus in slices of their games, in the order of their first starts.

    Each slice has everything that its games are compared with.
    """
    by_day: dict[str, list[Placed]] = defaultdict(list)
    for placed in sorted(corpus.games, key=lambda own: own.row.started_ms):
        by_day[placed.row.day].append(placed)
    links = links_of(corpus.accounts.values(), {placed.row.account for placed in corpus.games})
    slices = []
    for day, games in by_day.items():
        accounts = {placed.row.account for placed in games}
        among = {pair: link for pair, link in links.items() if accounts.issuperset(pair)}
        for first in range(0, len(games), SLICE):
            asked = range(first, min(first + SLICE, len(games)))
            slices.append(Day(tuple(games), dict(corpus.pars.get(day, {})), among, asked))
    return sorted(slices, key=lambda day: day.starts_ms)


def closed_days(days: Sequence[Day], judged: Iterable[DayJudged]) -> Iterator[list[Judged]]:
    """Yield the games of each day of the calendar, once all are judged that may have begun on it."""
    by_day: dict[int, list[Judged]] = defaultdict(list)
    later = [day.starts_ms // DAY_MS for day in days[1:]]
    for done, next_day in zip_longest(judged, later):
        for game in done.games:
            by_day[game.started_ms // DAY_MS].append(game)
        for closed in sorted(day for day in by_day if next_day is None or day < next_day):
            yield sorted(by_day.pop(closed), key=lambda own: own.started_ms)


class Conclusions:
    """The accounts of a corpus after the days that were closed so far."""

    def __init__(self, accounts: Iterable[str]) -> None:
        self._cases = {name: _Case(Account(name)) for name in accounts}
        self._pairs = turns.Pairs()

    def close(self, games: Iterable[Judged]) -> Iterator[dict[str, Any]]:
        """Add the games of a day, make its lists, and return the verdicts on accounts whose level has risen."""
        before = {name: LEVELS.index(case.level) for name, case in self._cases.items()}
        for game in games:
            self._cases.setdefault(game.account, _Case(Account(game.account))).add(game)
            if game.visit:
                self._pairs.add(game.visit)
        self._conclude()
        risen = (case for name, case in self._cases.items() if LEVELS.index(case.level) < before.get(name, NOTHING))
        return map(_verdict, sorted(risen, key=_urgency))

    def verdicts(self) -> list[dict[str, Any]]:
        """Return a verdict for each account, those with a case first."""
        return [_verdict(case) for case in sorted(self._cases.values(), key=_urgency)]

    def _conclude(self) -> None:
        judged = [case for case in self._cases.values() if case.state.games]
        lists = lists_of([case.state for case in judged])
        in_turn: dict[str, list[Finding]] = defaultdict(list)
        for name, finding in self._pairs.findings():
            in_turn[name].append(finding)
        for case in judged:
            case.conclude(lists, in_turn[case.state.account])


def _urgency(case: _Case) -> tuple[int, float, str]:
    return LEVELS.index(case.level), -case.state.combined, case.state.account


def _verdict(case: _Case) -> dict[str, Any]:
    account = case.state
    return {
        "account": account.account,
        "level": case.level,
        "games": account.games,
        "false_records": len(case.false_records),
        "watched_after": case.watched_after,
        "case_after": case.case_after,
        "fortunes": _fortunes(account),
        "findings": [dict(_rounded(msgspec.to_builtins(finding))) for finding in case.found],
        "failed_detectors": sorted(case.failed),
        "version": account.version,
    }


def _fortunes(account: Account) -> dict[str, dict[str, float]]:
    own = {
        "foresight": account.foresight_fortune,
        "near_par": account.near_par_fortune,
        "copied_line": account.copies.fortune,
    }
    fortunes = {name: {"now": fortune.value, "highest": fortune.highest} for name, fortune in own.items()}
    fortunes["foresight_and_near_par"] = {"now": account.combined}
    return {name: dict(_rounded(values)) for name, values in fortunes.items()}


def _rounded(values: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, float):
            yield name, float(f"{value:.{DIGITS}g}")
        else:
            yield name, dict(_rounded(value)) if isinstance(value, dict) else value
