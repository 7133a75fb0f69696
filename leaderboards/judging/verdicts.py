"""Conclude from a corpus, account by account, as plain JSON values."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from leaderboards.detectors.accounts import Account, Level, findings, level, lists_of
from leaderboards.detectors.findings import Finding
from leaderboards.detectors.naming import DayList
from leaderboards.judging.days import Day, DayJudged, Judged
from leaderboards.judging.links import links_of
from leaderboards.judging.reading import Corpus, Placed

DIGITS = 6
DAY_MS = 86_400_000
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

    def conclude(self, lists: Sequence[DayList]) -> None:
        """Note what is found about the account as it is now, and by the lists at the close of a day."""
        self.found = [*self.false_records, *findings(self.state, lists)]
        reached = level(self.found)
        if reached is not Level.NONE and self.watched_after is None:
            self.watched_after = self._games
        if reached is Level.CASE and self.case_after is None:
            self.case_after = self._games

    @property
    def _games(self) -> int:
        return self.state.games + len(self.false_records)


def days_of(corpus: Corpus) -> Iterator[Day]:
    """Return the days of a corpus, in slices of their games, each with everything that these are compared with."""
    by_day: dict[str, list[Placed]] = defaultdict(list)
    for placed in sorted(corpus.games, key=lambda own: own.row.started_ms):
        by_day[placed.row.day].append(placed)
    links = links_of(corpus.accounts.values(), {placed.row.account for placed in corpus.games})
    for day, games in sorted(by_day.items()):
        accounts = {placed.row.account for placed in games}
        among = {pair: link for pair, link in links.items() if accounts.issuperset(pair)}
        for first in range(0, len(games), SLICE):
            asked = range(first, min(first + SLICE, len(games)))
            yield Day(tuple(games), dict(corpus.pars.get(day, {})), among, asked)


def verdicts(corpus: Corpus, days: Iterable[DayJudged]) -> list[dict[str, Any]]:
    """Return a verdict for each account, those with a case first: at the close of each day, and after the last."""
    by_day: dict[int, list[Judged]] = defaultdict(list)
    for day in days:
        for game in day.games:
            by_day[game.started_ms // DAY_MS].append(game)
    cases = {name: _Case(Account(name)) for name in corpus.accounts}
    for _, games in sorted(by_day.items()):
        _close(cases, games)
    return [_verdict(case) for case in sorted(cases.values(), key=_urgency)]


def _close(cases: dict[str, _Case], games: Iterable[Judged]) -> None:
    """Add the games of a day, and make its lists of all accounts that have been judged."""
    for game in sorted(games, key=lambda own: own.started_ms):
        cases.setdefault(game.account, _Case(Account(game.account))).add(game)
    judged = [case for case in cases.values() if case.state.games]
    lists = lists_of([case.state for case in judged])
    for case in judged:
        case.conclude(lists)


def _urgency(case: _Case) -> tuple[int, float, str]:
    levels = [Level.CASE, Level.WATCH, Level.NONE]
    return levels.index(level(case.found)), -case.state.combined, case.state.account


def _verdict(case: _Case) -> dict[str, Any]:
    account = case.state
    return {
        "account": account.account,
        "level": level(case.found),
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
