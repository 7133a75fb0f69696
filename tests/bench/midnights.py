"""Simulate midnights of deals that depend on a beacon: python -m tests.bench.midnights [--help]

Relays are late, slow, down, hanging or lying, workers see different ones, die and come back. The steps, the signatures
and the database are the server's own. Time is injected: that of the network is simulated, that of the processor is
added as it was measured (not with --no-processor). --searches measures how long the deals of each rule set take.
"""

from __future__ import annotations

import heapq
import json
import logging
import os
import random
import sys
from argparse import ArgumentDefaultsHelpFormatter, ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple
from unittest.mock import patch

import django

from games.deals.beacons import BEACONS, Beacon
from games.runtime.posting import Answer

FIRST_DAY = date(2027, 1, 1)
RELAYS = 4
READY_WITHIN = 5.0  # seconds after the round
PAUSE = 1.0  # of a worker between two rounds of its tasks
# The share of each kind of relay in a bad night.
KINDS = {
    "honest": 0.35,
    "late": 0.1,
    "slow": 0.1,
    "down": 0.15,
    "hanging": 0.1,
    "wrong signature": 0.05,
    "wrong round": 0.05,
    "old round": 0.05,
    "nonsense": 0.05,
}
LIARS = ("wrong signature", "wrong round", "old round", "nonsense")


class Killed(Exception):
    """A worker dies."""


class Relay(NamedTuple):
    """A relay of one night: how long it takes to answer, and how long after its time it has the round."""

    kind: str
    delay: float
    behind: float

    def is_in_time(self, patience: float) -> bool:
        return self.kind == "honest" and self.delay < patience


@dataclass
class Worker:
    """A worker: the relays that it reaches, when it runs next, and when it dies, for how long and in which place."""

    relays: Sequence[Relay]
    runs_at: datetime
    dies_at: datetime | None
    is_away: float
    dies_between: bool
    failed_last: list[str] = field(default_factory=list)


class Night(NamedTuple):
    """The outcome of a night; `seconds` are those from the round to the deal."""

    seconds: float
    is_known: bool
    is_late: bool
    is_labelled: bool
    is_true: bool
    had_honest: bool


class Clock:
    def __init__(self, now: datetime, *, has_processor: bool) -> None:
        self.now, self._has_processor = now, has_processor
        self._since: float | None = None

    def __call__(self) -> datetime:
        self._count()
        return self.now

    def pass_(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    @contextmanager
    def working(self) -> Iterator[None]:
        self._since = process_time()
        try:
            yield
        finally:
            self._count()
            self._since = None

    def _count(self) -> None:
        if self._since is not None and self._has_processor:
            spent, self._since = process_time() - self._since, process_time()
            self.pass_(spent)


def relay_of(dice: random.Random, *, is_bad: bool) -> Relay:
    kind = dice.choices(list(KINDS), list(KINDS.values()))[0] if is_bad else "honest"
    delay, behind = dice.uniform(0.02, 0.6), dice.uniform(0, 0.8)
    if kind == "late":
        behind = dice.uniform(2, 60)
    if kind == "slow":
        delay = dice.uniform(1, 10)
    return Relay(kind, delay, behind)


def answer_of(relay: Relay, number: int, since: float, seconds: float) -> tuple[float, Answer]:
    """Return how long a relay takes and what it answers, so many seconds after the time of a round."""
    from tests.beacon import signature_of, told  # noqa: PLC0415  with Django's settings

    if relay.kind == "down":
        return 0.01, Answer(None, "refused")
    if relay.kind == "hanging" or relay.delay > seconds:
        return seconds, Answer(None, "timed out")
    if relay.kind == "nonsense":
        return relay.delay, Answer(200, body=b"<html>")
    if since + relay.delay < relay.behind and relay.kind not in LIARS:
        return relay.delay, Answer(404, "HTTP 404")
    signature = signature_of(number - (relay.kind != "honest" and relay.kind in LIARS))
    if relay.kind == "wrong signature":
        signature = f"{int(signature[0], 16) ^ 2:x}{signature[1:]}"  # the point with the other sign
    shown = number - 1 if relay.kind == "wrong round" else number
    return relay.delay, Answer(200, body=json.dumps(told(shown, signature)).encode())


def workers_of(dice: random.Random, round_at: datetime, *, is_bad: bool) -> list[Worker]:
    """Return one or two workers; of two, one may have no network, and each may die in the minute."""
    made = []
    for number in range(1 + is_bad * dice.randrange(2)):
        cut_off = number == 1 and dice.random() < 0.5
        relays = [relay_of(dice, is_bad=is_bad) for _ in range(RELAYS)]
        made.append(
            Worker(
                [Relay("down", 0, 0)] * RELAYS if cut_off else relays,
                round_at - timedelta(seconds=dice.uniform(2, 3)),
                round_at + timedelta(seconds=dice.uniform(-2, 58)) if is_bad and dice.random() < 0.1 else None,
                dice.uniform(1, 40),
                is_bad and dice.random() < 0.05,
            )
        )
    return made


def simulate(asked: Namespace) -> Iterator[Night]:
    """Yield nights, one for each day from the first on."""
    from games.calendar.dailies import commit_to_daily  # noqa: PLC0415  needs Django
    from games.deals.daily import DailyKey  # noqa: PLC0415
    from games.deals.grading import Grade  # noqa: PLC0415
    from games.deals.policy import RANKED  # noqa: PLC0415
    from games.deals.programme import Scheduled  # noqa: PLC0415
    from tests.beacon import OURS  # noqa: PLC0415

    dice = random.Random(asked.seed)
    with patch.dict(BEACONS, {"quicknet": OURS}), _relays([f"relay {number}" for number in range(RELAYS)]):
        for number in range(asked.nights):
            grade = Grade.HARD if dice.random() < asked.graded else None
            key = DailyKey(FIRST_DAY + timedelta(days=number), "standard", "open")
            daily = commit_to_daily(Scheduled(key, grade, RANKED, "quicknet"), key.opens_at - timedelta(hours=12))
            assert daily is not None
            yield _night(daily.pk, dice, asked)


@contextmanager
def _relays(names: list[str]) -> Iterator[None]:
    from django.test import override_settings  # noqa: PLC0415

    with override_settings(PYRAMID_BEACON_RELAYS=names):
        yield


def _night(pk: int, dice: random.Random, asked: Namespace) -> Night:
    from games.calendar.dealing import deal_at_last  # noqa: PLC0415  needs Django
    from games.calendar.models import DailyDeal  # noqa: PLC0415

    daily = DailyDeal.objects.get(pk=pk)
    opens_at, round_at = daily.key.opens_at, BEACONS[daily.beacon].time_of(daily.round)
    workers = workers_of(dice, round_at, is_bad=dice.random() < asked.bad)
    had_honest = _have_honest(workers)
    dealt_at = _dealt_by(workers, round_at, opens_at, has_processor=asked.processor)
    if dealt_at is None:  # no worker was there: the first player
        deal_at_last(daily.day, opens_at)
    return _outcome(pk, round_at, dealt_at or opens_at, had_honest=had_honest)


def _dealt_by(
    workers: Sequence[Worker], round_at: datetime, opens_at: datetime, *, has_processor: bool
) -> datetime | None:
    """Let workers run until one has dealt, and return when that was; None if the day opens before."""
    queue = [(worker.runs_at, number) for number, worker in enumerate(workers)]
    heapq.heapify(queue)
    while queue:
        at, number = heapq.heappop(queue)
        if at >= opens_at:
            return None
        clock = Clock(at, has_processor=has_processor)
        try:
            if _has_dealt(workers[number], round_at, clock):
                return clock.now
            pause = PAUSE
        except Killed:
            pause = workers[number].is_away
        heapq.heappush(queue, (clock.now + timedelta(seconds=pause), number))
    return None


def _has_dealt(worker: Worker, round_at: datetime, clock: Clock) -> bool:
    """Let a worker run once, and return True if it has dealt. Raises `Killed` if it dies."""
    from games.beacon import relays  # noqa: PLC0415  needs Django
    from games.calendar import dealing  # noqa: PLC0415

    if worker.dies_at is not None and clock.now >= worker.dies_at:
        worker.dies_at = None
        raise Killed
    relays._failed_last[:] = worker.failed_last
    with clock.working(), _dying(worker):
        dealt = dealing.deal_days(clock.now, clock, _asking(worker, round_at, clock))
    worker.failed_last = list(relays._failed_last)
    return bool(dealt)


def _asking(worker: Worker, round_at: datetime, clock: Clock) -> Callable[[str, Beacon, int, float], Any]:
    from games.beacon import relays  # noqa: PLC0415  needs Django

    def ask(name: str, beacon: Beacon, number: int, seconds: float) -> relays.Asked:
        relay = worker.relays[int(name.split()[1])]
        took, answer = answer_of(relay, number, (clock.now - round_at).total_seconds(), seconds)
        clock.pass_(took)
        return relays.checked(answer, beacon, number)

    return ask


@contextmanager
def _dying(worker: Worker) -> Iterator[None]:
    """Let a worker die between the round and the deal, if it is to."""
    from games.calendar import dealing  # noqa: PLC0415  needs Django

    if not worker.dies_between:
        yield
        return
    with patch.object(dealing, "found_deal", side_effect=Killed):
        try:
            yield
        except Killed:
            worker.dies_between = False
            raise


def _outcome(pk: int, round_at: datetime, dealt_at: datetime, *, had_honest: bool) -> Night:
    from games.beacon.models import BeaconOutcome  # noqa: PLC0415  needs Django
    from games.calendar.models import DailyDeal  # noqa: PLC0415
    from games.calendar.verification import mistaken  # noqa: PLC0415

    daily = DailyDeal.objects.select_related("deal").get(pk=pk)
    outcome = BeaconOutcome.objects.filter(day=daily.day, rules=daily.rules).first()
    return Night(
        seconds=(dealt_at - round_at).total_seconds(),
        is_known=outcome is not None and bool(outcome.signature),
        is_late=not daily.is_dealt or dealt_at > daily.key.opens_at,
        is_labelled=outcome is not None,
        is_true=outcome is not None and not mistaken(daily, outcome) and _follows(daily, outcome),
        had_honest=had_honest,
    )


def _have_honest(workers: Sequence[Worker]) -> bool:
    """Return True if a worker that lives reaches an honest relay, and no other dies with the round in its hands."""
    from games.beacon.relays import PATIENCE  # noqa: PLC0415  needs Django

    living = [worker for worker in workers if worker.dies_at is None and not worker.dies_between]
    return any(relay.is_in_time(PATIENCE) for worker in living for relay in worker.relays)


def _follows(daily: object, outcome: object) -> bool:
    """Return True if the deck is one of the seed that follows from the outcome."""
    seed = outcome.seed_from(bytes.fromhex(daily.seed))  # type: ignore[attr-defined]
    return bool(daily.key.deck(seed, daily.candidate).text == daily.deal.deck)  # type: ignore[attr-defined]


def summed_up(nights: Sequence[Night]) -> Iterator[str]:
    honest = [night.seconds for night in nights if night.had_honest]
    ready = sum(seconds <= READY_WITHIN for seconds in honest)
    yield f"{len(nights)} midnights, {sum(night.is_known for night in nights)} with the round of the beacon"
    yield f"{sum(not night.is_known and night.is_labelled for night in nights)} with the label fallback"
    yield f"{sum(not night.is_labelled for night in nights)} with neither"
    yield f"{sum(not night.is_true for night in nights)} with a round or a deal that is not right"
    yield f"{sum(night.is_late for night in nights)} late"
    if honest:
        share = f"{100 * ready / len(honest):.2f} %"
        yield f"{len(honest)} in which an honest relay answers: {share} ready {READY_WITHIN:.0f} s after the round"
    if len(honest) > 1:
        parts = quantiles(honest, n=1000)
        yield f"seconds: median {parts[499]:.2f}, 99.9 % within {parts[998]:.2f}, the longest {max(honest):.2f}"


def searches(count: int) -> Iterator[str]:
    """Yield how long it takes to find deals that may depend on a beacon, in milliseconds of the processor."""
    from games.deals.certify import first_fitting, is_found_at_once  # noqa: PLC0415
    from games.deals.daily import DailyKey  # noqa: PLC0415
    from games.deals.grading import Grade  # noqa: PLC0415
    from games.rules import RULE_SETS  # noqa: PLC0415
    from games.solver.preparing import prepare  # noqa: PLC0415

    prepare()
    for slug, rules in RULE_SETS.items():
        for grade in (None, *Grade):
            if rules.decks > 1 or not is_found_at_once(rules, is_graded=grade is not None):
                continue
            key, taken = DailyKey(FIRST_DAY, slug, "open"), []
            for number in range(count):
                since = process_time()
                first_fitting(key, number.to_bytes(32), grade)
                taken.append(1000 * (process_time() - since))
            yield f"{slug:<20} {grade or 'any':<8} mean {sum(taken) / count:>7.0f} ms, longest {max(taken):>7.0f} ms"


def parser() -> ArgumentParser:
    parser = ArgumentParser(description=__doc__, formatter_class=ArgumentDefaultsHelpFormatter)
    parser.add_argument("--nights", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=20261120)
    parser.add_argument("--bad", type=float, default=0.8, help="the share of nights in which something goes wrong")
    parser.add_argument("--graded", type=float, default=0.05, help="the share of deals that have to be hard")
    parser.add_argument("--no-processor", dest="processor", action="store_false", help="count the network alone")
    parser.add_argument("--searches", type=int, default=0, help="measure so many searches of each rule set instead")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    asked = parser().parse_args(arguments)
    with TemporaryDirectory() as folder:
        os.environ["PYRAMID_FOLDER"] = folder  # a database of its own
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
        django.setup()
        logging.disable()
        _run(asked)


def _run(asked: Namespace) -> None:
    from django.core.management import call_command  # noqa: PLC0415  settings exist from here on

    if asked.searches:
        for line in searches(asked.searches):
            print(line, flush=True)
        return
    call_command("migrate", verbosity=0)
    nights: list[Night] = []
    for night in simulate(asked):
        nights.append(night)
        if len(nights) % 1000 == 0:
            print(f"{len(nights)} ...", file=sys.stderr, flush=True)
    print("\n".join(summed_up(nights)))


if __name__ == "__main__":
    main()
