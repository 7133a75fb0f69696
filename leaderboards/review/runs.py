"""Record the work of each detector on a day: games, processor time, and errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from time import process_time_ns

from django.db.models import F

from leaderboards.models import DetectorRun

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
    error: str = ""


class Runs:
    """The detectors' work on one game."""

    def __init__(self, now: datetime, version: str) -> None:
        self._now, self._version = now, version
        self._runs: dict[str, _Run] = {}

    @property
    def cpu_us(self) -> int:
        return sum(run.cpu_us for run in self._runs.values())

    @contextmanager
    def watch(self, asked: str) -> Iterator[None]:
        """Measure the block, and note what it raises."""
        detector = DETECTORS.get(asked, asked)
        run = self._runs.setdefault(detector, _Run())
        begun = process_time_ns()
        try:
            yield
        except Exception as error:
            self.note_failure(detector, error)
            raise
        finally:
            run.cpu_us += (process_time_ns() - begun) // 1000
            run.games = 1

    def note_failure(self, detector: str, error: Exception) -> None:
        self._runs.setdefault(detector, _Run(games=1)).error = f"{type(error).__name__}: {error}"[:500]

    def save(self) -> None:
        """Add the work to what was done before on the same day."""
        for detector, run in self._runs.items():
            day, _ = DetectorRun.objects.get_or_create(
                day=self._now.date(),
                detector=detector,
                version=self._version,
                defaults={"last_run_at": self._now},
            )
            more = {"last_error": run.error} if run.error else {}
            DetectorRun.objects.filter(pk=day.pk).update(
                games=F("games") + run.games,
                cpu_us=F("cpu_us") + run.cpu_us,
                errors=F("errors") + bool(run.error),
                last_run_at=self._now,
                **more,
            )
