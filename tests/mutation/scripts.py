"""The same for scripts: small faults in their tokens, tried in a copy of all scripts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.mutation.targets import own_scripts

TOKEN = re.compile(
    r"""(?P<ignored>//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"""
    r"""|(?<=[(,=:\[!&|?])\ *(?<!/)/(?![/*])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n\[])+/[a-z]*|=>|\?\.)"""
    r"""|(?P<token>===|!==|<=|>=|&&|\|\||\?\?|\+\+|--|[-+*/%]=|[-+*/%<>!]|\b\d+(?:\.\d+)?\b(?!n)|\b(?:true|false)\b)""",
    re.DOTALL,
)
OTHER = (
    {"===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
    | {"&&": "||", "||": "&&", "??": "&&", "!": "", "true": "false", "false": "true"}
    | {" + ": " - ", " - ": " + ", " * ": " + ", " / ": " * ", " % ": " * ", "+=": "-=", "-=": "+="}
)
# A statement on a line of its own, which can be left out without anything else being read otherwise.
STATEMENT = re.compile(
    r"^\ +(?!const |let |import |export |case |static |#|\*|//|\.|\?|:|&|\|)\S[^\n]*;$", re.MULTILINE
)
SECONDS = 120


class ScriptMutant(NamedTuple):
    """A script with one fault; `line` is counted from 1."""

    line: int
    before: str
    after: str
    source: str


def script_mutants_of(source: str) -> Iterator[ScriptMutant]:
    """Yield every fault of a script, from top to bottom."""
    for first, last, after in sorted((*_left_out(source), *_exchanged(source))):
        changed = source[:first] + after + source[last:]
        yield ScriptMutant(source.count("\n", 0, first) + 1, source[first:last], after, changed)


def _left_out(source: str) -> Iterator[tuple[int, int, str]]:
    for found in STATEMENT.finditer(source):
        text = found[0].strip()
        if all(text.count(opening) == text.count(closing) for opening, closing in ("()", "[]", "{}")):
            yield found.start() + len(found[0]) - len(text), found.end(), ""


def _exchanged(source: str) -> Iterator[tuple[int, int, str]]:
    for found in TOKEN.finditer(source):
        token = found["token"]
        if token is None:
            continue
        if token[0].isdigit():
            yield *found.span(), f"{float(token) + 1:g}"
        elif token in OTHER:
            yield *found.span(), OTHER[token]
        elif (spaced := source[found.start() - 1 : found.end() + 1]) in OTHER:  # what is not spaced is a sign
            yield *found.span(), OTHER[spaced].strip()


class ScriptCampaign:
    """Gives each of some scripts every fault, and prints those that none of its tests in Node notices."""

    def __init__(self, targets: dict[Path, list[Path]], jobs: int, every: int, folder: Path) -> None:
        self._targets, self._jobs, self._every, self._folder = targets, jobs, every, folder

    def run(self, environment: dict[str, str]) -> None:
        copies = [self._copy(self._folder / f"scripts-{number}") for number in range(self._jobs)]
        for path, tests in self._targets.items():
            assert _passes(copies[0], tests, environment), f"without a fault, {path} does not pass its tests"
            self._try_all(path, tests, copies, environment)

    def _try_all(self, path: Path, tests: list[Path], copies: list[Path], environment: dict[str, str]) -> None:
        free, source = list(copies), path.read_text()

        def passes(mutant: ScriptMutant) -> bool:
            copy = free.pop()
            (copy / path).write_text(mutant.source)
            try:
                return _passes(copy, tests, environment)
            finally:
                (copy / path).write_text(source)
                free.append(copy)

        mutants = list(script_mutants_of(source))[:: self._every]
        survived = 0
        with ThreadPoolExecutor(self._jobs) as threads:
            for number, (mutant, passed) in enumerate(zip(mutants, threads.map(passes, mutants), strict=True), start=1):
                survived += passed
                if passed:
                    print(f"{path}:{mutant.line}\n  - {mutant.before}\n  + {mutant.after}", flush=True)
                print(f"{path}: {number} of {len(mutants)}, {survived} survived", end="\r", file=sys.stderr)
        print(f"{path}: {len(mutants) - survived} killed, {survived} survived", flush=True)

    @staticmethod
    def _copy(folder: Path) -> Path:
        """Copy all scripts, which import each other by relative addresses."""
        for path in own_scripts():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / path)
        return folder


def _passes(folder: Path, tests: list[Path], environment: dict[str, str]) -> bool:
    return all(_test_passes(folder / test, environment) for test in tests)


def _test_passes(test: Path, environment: dict[str, str]) -> bool:
    command = ["node", f"--import={test.parent / 'roots.mjs'}", str(test)]
    try:
        ended = subprocess.run(command, env=os.environ | environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0
