"""Record the work of each detector on a day: games, processor time, and errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from time import process_time_ns

from django.db.models import F

from leaderboards.moderation.models import DetectorRun

# By what `detectors.accounts.evidence_of` asks for.
DETECTORS = {
    "bets": "foresight bet",
    "par_factors": "near par",
    "gap_bin": "near par",
    "match": "copied line",
    "hand": "machine timing",
    "slope": "clock slope",
    "distance": "skill jump",
    "look": "preview",
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
        begun = process_time_ns()
        try:
            yield
        except Exception as error:
            self.note_failure(detector, error)
            raise
        finally:
            run.cpu_us += (process_time_ns() - begun) // 1000

    def note_failure(self, detector: str, error: Exception) -> None:
        run = self._runs.setdefault(detector, _Run(games=1))
        run.errors, run.last_error = run.errors + 1, f"{type(error).__name__}: {error}"[:500]

    def add(self, other: Runs) -> None:
        """Add the work on other games."""
        for detector, run in other._runs.items():
            own = self._runs.setdefault(detector, _Run())
            own.cpu_us, own.games, own.errors = own.cpu_us + run.cpu_us, own.games + run.games, own.errors + run.errors
            own.last_error = run.last_error or own.last_error

    def save(self, version: str, now: datetime) -> None:
        """Add the work to the day's earlier work."""
        for detector, run in self._runs.items():
            row, _ = DetectorRun.objects.get_or_create(
                day=now.date(), detector=detector, version=version, defaults={"last_run_at": now}
            )
            more = {"last_error": run.last_error} if run.last_error else {}
            DetectorRun.objects.filter(pk=row.pk).update(
                games=F("games") + run.games,
                cpu_us=F("cpu_us") + run.cpu_us,
                errors=F("errors") + run.errors,
                last_run_at=now,
                **more,
            )
