"""The detectors at work: every first attempt at a deal is examined once its day is public, in the worker."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic, thread_time_ns

import msgspec
from django.db import IntegrityError, InterfaceError, OperationalError, transaction
from django.db.models import F

from games.calendar.models import DailyDeal
from games.deals.daily import first_day_not_public
from games.play.models import Game
from games.play.sessions import expire_overdue
from games.rules import RulesError
from leaderboards.detectors.accounts import Account, Evidence, Known, evidence_of, findings
from leaderboards.detectors.findings import false_record
from leaderboards.detectors.thresholds import VERSION
from leaderboards.moderation.deal_tables import DealTable, table_of
from leaderboards.moderation.evidence_models import AccountEvidence, DetectorRun, Examination, ExaminedDeal
from leaderboards.moderation.finding import keep_findings
from leaderboards.moderation.playing import ranked_game

SECONDS_AT_ONCE = 3.0
LEASE = timedelta(minutes=10)  # far longer than a game takes; after that its worker is dead

logger = logging.getLogger(__name__)


# By what `detectors.accounts.evidence_of` asks for.
DETECTORS = {
    "bets": "foresight bet",
    "order_bets": "foresight bet",
    "par_factors": "near par",
    "gap_bin": "near par",
    "match": "copied line",
    "hand": "machine timing",
    "slope": "clock slope",
    "distance": "skill jump",
    "look": "preview",
    "scouted": "scouting",
}


@dataclass(slots=True)
class _Run:
    cpu_us: int = 0
    games: int = 0
    errors: int = 0
    last_error: str = ""


class Runs:
    """The detectors' work on some games."""

    def __init__(self) -> None:
        self._runs: dict[str, _Run] = {}

    @property
    def cpu_us(self) -> int:
        return sum(run.cpu_us for run in self._runs.values())

    @contextmanager
    def watch(self, asked: str) -> Iterator[None]:
        """Measure the block, and record any exception."""
        detector = DETECTORS.get(asked, asked)
        run = self._runs.setdefault(detector, _Run(games=1))
        begun = thread_time_ns()
        try:
            yield
        except Exception as error:
            self.note_failure(detector, error)
            raise
        finally:
            run.cpu_us += (thread_time_ns() - begun) // 1000

    def note_failure(self, detector: str, error: Exception) -> None:
        run = self._runs.setdefault(detector, _Run(games=1))
        run.errors, run.last_error = run.errors + 1, f"{type(error).__name__}: {error}"[:500]

    def add(self, other: Runs) -> None:
        """Add the work on other games."""
        for detector, run in other._runs.items():
            own = self._runs.setdefault(detector, _Run())
            own.cpu_us, own.games, own.errors = own.cpu_us + run.cpu_us, own.games + run.games, own.errors + run.errors
            own.last_error = run.last_error or own.last_error

    def save(self, now: datetime) -> None:
        """Add the work to the day's earlier work."""
        for detector, run in self._runs.items():
            row, _ = DetectorRun.objects.get_or_create(
                day=now.date(), detector=detector, version=VERSION, defaults={"last_run_at": now}
            )
            more = {"last_error": run.last_error} if run.last_error else {}
            DetectorRun.objects.filter(pk=row.pk).update(
                games=F("games") + run.games,
                cpu_us=F("cpu_us") + run.cpu_us,
                errors=F("errors") + run.errors,
                last_run_at=now,
                **more,
            )


def examine_games(now: datetime, seconds: float = SECONDS_AT_ONCE) -> int:
    """Examine waiting attempts, oldest first, for about the given time, and return their number."""
    runs, examined = Runs(), 0
    for game, table in _until(monotonic() + seconds, _claimed(now)):
        runs.add(examine(game, table, now))
        examined += 1
    runs.save(now)
    return examined


def examine(game: Game, table: DealTable, now: datetime) -> Runs:
    """Run the detectors on one game, add their findings to the account, and store the result.

    A record that does not replay is a finding; a fault of ours is logged and recorded, and does not stop the others.
    Returns what the detectors did.
    """
    runs = Runs()
    try:
        played = ranked_game(game, table.par)
        known = Known(table.orders, table.cohort, tuple(table.linked_games(game)), table.crowd)
        _add(game, evidence_of(played, known, runs.watch), runs.cpu_us, now)
    except RulesError as error:
        why = f"The record does not replay: {error}"
        _keep_error(game, why)
        keep_findings(game, [false_record(game.pk, why)], now)
    except (OperationalError, InterfaceError):  # no database; after the lease the game is examined again
        raise
    except Exception as error:
        logger.exception("game %s cannot be examined", game.pk)
        runs.note_failure("examination", error)
        _keep_error(game, f"{type(error).__name__}: {error}")
    return runs


def _claimed(now: datetime) -> Iterator[tuple[Game, DealTable]]:
    """Yield the waiting attempts that no other worker has, each with the table of its deal."""
    public = DailyDeal.objects.filter(day__lt=first_day_not_public(now), examined=None)
    dailies = list(public.select_related("deal").order_by("day", "pk"))
    if dailies:
        expire_overdue(now)  # they are compared with the others, too: who only looks just goes away
    for daily in dailies:
        for game in _waiting_games(daily, now):
            if _claim(game, now):
                yield game, table_of(daily)
        _note_done(daily, now)


def _until(end: float, games: Iterator[tuple[Game, DealTable]]) -> Iterator[tuple[Game, DealTable]]:
    for each in games:
        yield each
        if monotonic() > end:
            return


def _add(game: Game, evidence: Evidence, cpu_us: int, now: datetime) -> None:
    """Add a game's evidence to its account: one game after the other, whichever worker has it."""
    with transaction.atomic():
        kept = _locked_evidence(game.player_id, now)
        account = msgspec.convert(kept.state, Account).after(evidence)
        kept.state, kept.games, kept.updated_at = msgspec.to_builtins(account), account.games, now
        kept.foresight, kept.near_par = account.foresight_fortune.value, account.near_par_fortune.value
        kept.both = account.both
        kept.save()
        Examination.objects.filter(pk=game.pk).update(
            evidence=msgspec.to_builtins(evidence),
            cpu_us=cpu_us,
            foresight=kept.foresight,
            near_par=kept.near_par,
            combined=account.combined,
            failed=list(evidence.failed),
        )
        # A declared bot may play like a program.
        keep_findings(
            game, [one for one in findings(account) if not (game.player.is_bot and "timing" in one.detector)], now
        )


def _locked_evidence(player: int, now: datetime) -> AccountEvidence:
    new = {"state": msgspec.to_builtins(Account(str(player))), "updated_at": now}
    AccountEvidence.objects.get_or_create(player_id=player, version=VERSION, defaults=new)
    return AccountEvidence.objects.select_for_update().get(player_id=player, version=VERSION)


def _waiting_games(daily: DailyDeal, now: datetime) -> list[Game]:
    ended = (
        daily.attempts.filter(attempt=1).exclude(status=Game.Status.PLAYING).select_related("player", "daily", "deal")
    )
    new = ended.filter(examination=None)
    left = ended.filter(examination__evidence__isnull=True, examination__error="", examination__at__lte=now - LEASE)
    return [*new.order_by("started_at", "pk"), *left.order_by("started_at", "pk")]


def _claim(game: Game, now: datetime) -> bool:
    """Return True for the one worker that is to examine a game."""
    try:
        with transaction.atomic():
            Examination.objects.create(game=game, player=game.player, version=VERSION, at=now)
    except IntegrityError:
        left = Examination.objects.filter(pk=game.pk, evidence__isnull=True, error="", at__lte=now - LEASE)
        return left.update(at=now) == 1
    return True


def _keep_error(game: Game, error: str) -> None:
    Examination.objects.filter(pk=game.pk).update(error=error[:500])


def _note_done(daily: DailyDeal, now: datetime) -> None:
    """Record that no attempt at a deal is left to be examined, expired or leased by another worker."""
    attempts = daily.attempts.filter(attempt=1)
    is_open = attempts.filter(status=Game.Status.PLAYING).exists()
    if is_open or attempts.filter(examination=None).exists():
        return
    if not attempts.filter(examination__evidence__isnull=True, examination__error="").exists():
        ExaminedDeal.objects.get_or_create(daily=daily, defaults={"at": now})
