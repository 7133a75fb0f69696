"""manage.py judge FOLDER: run the detectors on a corpus of records."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from tqdm import tqdm

from games.doors.commands import LightCommand, at_least_one, at_work, progress_bar
from games.doors.parallel import in_parallel
from leaderboards.judging.days import Day, DayJudged, judge_day
from leaderboards.judging.reading import Corpus, read_corpus
from leaderboards.judging.verdicts import Conclusions, closed_days, days_of

SECONDS_A_GAME = 0.5  # of a core; docs/detectors-measured.md has what was measured


class Command(LightCommand):
    help = (
        "Judge the records of a folder and print a JSON line for each account: its level (case, watch or none), its "
        "fortunes and its findings. The folder has games.jsonl, and should have accounts.jsonl and deals.jsonl "
        "(docs/judging.md). "
        "A game takes about half a second of a core. Progress, accounts whose level rises at the close of a day, and "
        "everything that is wrong with a line go to the standard error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py judge corpus --jobs 2"
        parser.add_argument("folder", type=Path, help="the folder with the files")
        parser.add_argument(
            "--jobs",
            type=at_least_one,
            default=os.cpu_count() or 1,
            metavar="N",
            help="how many at a time (default: all cores)",
        )
        parser.add_argument(
            "--as-they-come",
            action="store_true",
            help="also print the verdict on an account when its level rises; the last line of an account counts",
        )

    def handle(self, *, folder: Path, jobs: int, as_they_come: bool, **options: Any) -> None:
        corpus = self._read(folder)
        days = days_of(corpus)
        if minutes := int(len(corpus.games) * SECONDS_A_GAME / jobs / 60):
            self._report(f"{len(corpus.games)} games: about {minutes} minutes with {jobs} processes on free cores.")
        conclusions = Conclusions(corpus.accounts)
        judged = 0
        with progress_bar(self.stderr, len(corpus.games), "game") as bar:
            for games in closed_days(days, self._judged(days, jobs, bar)):
                judged += len(games)
                bar.clear()
                for risen in conclusions.close(games):
                    self._report(_sentence(risen))
                    if as_they_come:
                        self._print(risen)
        for verdict in conclusions.verdicts():
            self._print(verdict)
        if not judged:
            raise CommandError("none of the games could be judged")

    def _read(self, folder: Path) -> Corpus:
        if not folder.is_dir():
            raise CommandError(f"there is no folder {folder}")
        try:
            with at_work(self.stderr, "Reading the records"):
                corpus = read_corpus(folder, self._report)
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        if not corpus.games:
            raise CommandError(f"no line of {folder / 'games.jsonl'} could be read")
        return corpus

    def _judged(self, days: list[Day], jobs: int, bar: tqdm[object]) -> Iterator[DayJudged]:
        """Judge the days, as many at once as there are jobs, and report mistakes in the order of the days."""
        for day, judged in zip(days, in_parallel(judge_day, days, jobs), strict=True):
            bar.clear()
            for problem in judged.problems:
                self._report(problem)
            bar.update(len(day.asked))
            yield judged

    def _report(self, problem: str) -> None:
        self.stderr.write(problem)

    def _print(self, verdict: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(verdict))
        self.stdout.flush()


def _sentence(verdict: dict[str, Any]) -> str:
    detectors = ", ".join(dict.fromkeys(finding["detector"] for finding in verdict["findings"]))
    games = verdict["games"] + verdict["false_records"]
    return f"{verdict['account']}: {verdict['level']} after {games} games: {detectors}"
