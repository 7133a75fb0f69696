"""Judge the detectors on simulated people and cheats: make bench-integrity (SEED=, DEALS=, ACCOUNTS= ...).

Deals, plays and bets are made once for each seed and kept under var/integrity. Accounts share the plays: each draws one
of the stored plays of its style for each day, and has times of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import environ
from random import Random

from tqdm import tqdm

from leaderboards.detectors.accounts import Account, Level, findings, level, lists_of
from leaderboards.detectors.findings import Strength
from leaderboards.detectors.naming import DayList
from tests.bench.integrity import lines, null
from tests.bench.integrity.corpus import CHEATING_ROLES, HONEST_ROLES, Role, Table
from tests.integrity import store


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a corpus."""

    seed: str = environ.get("SEED") or "judged"
    deals: int = int(environ.get("DEALS") or 40)
    plays: int = int(environ.get("PLAYS") or 2)
    accounts: int = int(environ.get("ACCOUNTS") or 400)  # honest ones
    cheats: int = int(environ.get("CHEATS") or 20)  # of each kind
    games: int = int(environ.get("GAMES") or 30)
    null_accounts: int = int(environ.get("NULL") or 20_000)
    jobs: int = int(environ.get("JOBS") or 1)


@dataclass(slots=True)
class Verdict:
    """The verdict on an account: the games until it was watched and a case, and the detectors."""

    role: Role
    watched: int | None = None
    case: int | None = None
    detectors: set[str] = field(default_factory=set)
    foresight: float = 1.0
    near_par: float = 1.0


class Judged:
    """An account while it plays a game a day, and its verdict."""

    def __init__(self, table: Table, role: Role, name: str, games: int) -> None:
        self.state, self.verdict = Account(name), Verdict(role)
        self._games = table.games(role, name, games, Random(name))

    def play(self) -> None:
        _, evidence = next(self._games)
        self.state = self.state.after(evidence)

    def conclude(self, lists: Sequence[DayList]) -> None:
        """Note what the close of the day brings."""
        found, verdict, number = findings(self.state, lists), self.verdict, self.state.games
        if verdict.watched is None and level(found) is not Level.NONE:
            verdict.watched = number
        if verdict.case is None and level(found) is Level.CASE:
            verdict.case = number
        verdict.detectors |= {f"{finding.detector} ({finding.strength})" for finding in found}
        verdict.foresight, verdict.near_par = (
            self.state.foresight_fortune.highest,
            self.state.near_par_fortune.highest,
        )


def main() -> None:
    size = Size()
    print(f"seed {size.seed!r}: {size.deals} deals, {size.plays} plays of each style, {size.games} games an account")
    table = Table(store.deals(size.seed, size.deals, size.plays, size.jobs))
    null.report(table, size.null_accounts, size.seed)
    verdicts = _all(table, size)
    _report_roles(verdicts, size)
    _report_detectors(verdicts)
    lines.report(size.seed)


def _all(table: Table, size: Size) -> list[Verdict]:
    """Have all accounts play a game a day, and make the lists of each day of all of them."""
    each = [(role, size.accounts // len(HONEST_ROLES)) for role in HONEST_ROLES]
    each += [(role, size.cheats) for role in CHEATING_ROLES]
    names = [(role, f"{size.seed}/{role.name}/{number}") for role, count in each for number in range(count)]
    accounts = [Judged(table, role, name, size.games) for role, name in names]
    for _ in tqdm(range(size.games), desc="days"):
        for account in accounts:
            account.play()
        lists = lists_of([account.state for account in accounts])
        for account in accounts:
            account.conclude(lists)
    return [account.verdict for account in accounts]


def _report_roles(verdicts: Sequence[Verdict], size: Size) -> None:
    heading = f"{'role':<26}{'accounts':>9}{'watched':>9}{'case':>7}{'<= 3':>7}{'<= 10':>7}  games to a case"
    print(f"\n{heading}: median (90 %); highest foresight, then near par: median, largest")
    by_role: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_role[verdict.role.name].append(verdict)
    for name, own in by_role.items():
        cases = sorted(verdict.case for verdict in own if verdict.case)
        share = [sum(case <= limit for case in cases) / len(own) for limit in (size.games, 3, 10)]
        watched = sum(verdict.watched is not None for verdict in own) / len(own)
        print(
            f"{name:<26}{len(own):>9}{watched:>9.1%}{share[0]:>7.1%}{share[1]:>7.1%}{share[2]:>7.1%}"
            f"  {_quantile(cases, len(own), 0.5):>8} ({_quantile(cases, len(own), 0.9)})"
            f"{_spread([v.foresight for v in own]):>40}{_spread([v.near_par for v in own]):>28}"
        )


def _quantile(cases: list[int], accounts: int, share: float) -> str:
    place = int(share * accounts)
    return str(cases[place]) if place < len(cases) else "never"


def _spread(values: list[float]) -> str:
    ordered = sorted(values)
    return f"{ordered[len(ordered) // 2]:.3g}, {ordered[-1]:.3g}"


def _report_detectors(verdicts: Sequence[Verdict]) -> None:
    print(f"\n{'detector':<34}{'honest':>8}{'cheats':>8}{'precision':>11}{'recall':>8}")
    honest = sum(verdict.role.is_honest for verdict in verdicts)
    found: Counter[tuple[str, bool]] = Counter()
    for verdict in verdicts:
        names = verdict.detectors | ({"combined: a case"} if verdict.case else set())
        found.update((name, verdict.role.is_honest) for name in names)
    for name in sorted({name for name, _ in found}):
        wrong, right = found[name, True], found[name, False]
        recall = right / max(1, len(verdicts) - honest)
        print(f"{name:<34}{wrong:>8}{right:>8}{right / (right + wrong):>11.1%}{recall:>8.1%}")
    print(f"of {honest} honest accounts, {len(verdicts) - honest} cheats; only what says {Strength.CASE} opens a case")


if __name__ == "__main__":
    main()
