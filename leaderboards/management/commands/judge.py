"""manage.py judge FOLDER: run the detectors on a corpus of records."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from tqdm import tqdm

from games.doors.commands import LightCommand, at_least_one, at_work, progress_bar
from leaderboards.judging.days import Day, DayJudged, judge_day
from leaderboards.judging.reading import read_corpus
from leaderboards.judging.verdicts import days_of, verdicts

SECONDS_A_GAME = 0.5  # of a core; docs/detectors-measured.md has what was measured


class Command(LightCommand):
    help = (
        "Judge the records of a folder and print a JSON line for each account: its level (case, watch or none), its "
        "fortunes and its findings. The folder has games.jsonl, and should have accounts.jsonl and deals.jsonl "
        "(docs/judging.md). "
        "A game takes about half a second of a core. Progress and everything that is wrong with a line go to the "
        "standard error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py judge corpus --jobs 2"
        parser.add_argument("folder", type=Path, help="the folder with the files")
        parser.add_argument(
            "--jobs",
            type=at_least_one,
            default=os.cpu_count() or 1,
            metavar="N",
            help="processes to use (default: all cores)",
        )

    def handle(self, *, folder: Path, jobs: int, **options: Any) -> None:
        if not folder.is_dir():
            raise CommandError(f"there is no folder {folder}")
        try:
            with at_work(self.stderr, "Reading the records"):
                corpus = read_corpus(folder, self._report)
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        days = list(days_of(corpus))
        if minutes := int(len(corpus.games) * SECONDS_A_GAME / jobs / 60):
            self._report(f"{len(corpus.games)} games: about {minutes} minutes with {jobs} processes on free cores.")
        with progress_bar(self.stderr, len(corpus.games), "game") as bar:
            judged = list(self._judged(days, jobs, bar))
        for verdict in verdicts(corpus, judged):
            self.stdout.write(json.dumps(verdict))

    def _judged(self, days: list[Day], jobs: int, bar: tqdm[object]) -> Iterator[DayJudged]:
        """Judge the days, as many at once as there are jobs, and report mistakes immediately."""
        context = get_context("spawn")  # no copy of a process that has threads
        pool = ProcessPoolExecutor(jobs, context) if jobs > 1 else nullcontext()
        with pool as workers:
            if workers is None:
                each = ((day, judge_day(day)) for day in days)
            else:
                waiting = {workers.submit(judge_day, day): day for day in days}
                each = ((waiting[done], done.result()) for done in as_completed(waiting))
            for day, judged in each:
                bar.clear()
                for problem in judged.problems:
                    self._report(problem)
                bar.update(len(day.asked))
                yield judged

    def _report(self, problem: str) -> None:
        self.stderr.write(problem)
