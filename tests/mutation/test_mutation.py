from __future__ import annotations

import gc
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutation.operators import mutants_of
from tests.mutation.scripts import script_mutants_of
from tests.mutation.targets import SCRIPTS, TARGETS, chosen, chosen_scripts, path_of, script_at
from tests.mutation.trial import exchange

SOURCE = '''
def wait(most: int) -> int:
    """Wait."""
    stopped: bool | None = None
    while waiting() and not stopped:
        most = min(most, 3)
    return sum(part for part in parts if part >= 1)
'''


def test_each_fault_is_one_change_that_compiles() -> None:
    faults = list(mutants_of(SOURCE))
    for fault in faults:
        compile(fault.source, "fault", "exec")
        assert fault.source == SOURCE.replace(fault.before, fault.after) or SOURCE.count(fault.before) > 1
    assert [(fault.line, fault.before, fault.after) for fault in faults] == [
        (5, "waiting() and not stopped", "((not stopped))"),
        (5, "waiting() and not stopped", "((waiting()))"),
        (5, "waiting() and not stopped", "False"),
        (5, "not stopped", "((stopped))"),
        (6, "most = min(most, 3)", "pass"),
        (6, "min(most, 3)", "((3))"),
        (6, "min(most, 3)", "((most))"),
        (6, "3", "4"),
        (7, "return sum(part for part in parts if part >= 1)", "pass"),
        (7, "part >= 1", "((part) > (1))"),
        (7, "part >= 1", "True"),
        (7, "1", "2"),
    ]


BRANCH = """
def wait(ready: bool) -> int:
    if (
        ready
    ):
        return 1
    return sum(
        [2]
    )
"""


def test_a_fault_belongs_to_the_lines_of_its_statement_but_not_to_those_of_the_statements_inside() -> None:
    lines = {fault.before: fault.lines for fault in mutants_of(BRANCH)}
    assert (lines["ready"], lines["return 1"], lines["2"]) == (range(3, 6), range(6, 7), range(7, 10))


MODULE = """
class Door:
    @property
    def is_open(self) -> bool:
        return True

    @is_open.setter
    def is_open(self, value: bool) -> None:
        pass


def count(first: int) -> int:
    return first + 1


def is_never_changed() -> str:
    return "as before"
"""


def test_everything_that_holds_a_function_of_a_module_gets_its_faulty_code(tmp_path: Path) -> None:
    path = tmp_path / "faulty.py"
    path.write_text(MODULE)
    module = imported("faulty", path)
    door, kept = module.Door(), [module.count, module.is_never_changed]
    gc.freeze()
    exchange(path, MODULE.replace("return True", "pass\n        return False").replace("first + 1", "first - 1"))
    assert (door.is_open, kept[0](3), kept[1]()) == (False, 2, "as before")


CONSTANTS = """
from dataclasses import dataclass
from typing import NamedTuple

MOST = 5
TWICE = 2 * MOST
NAMES = ("alice", "bob")
RIGHT = "review"


class Line:
    longest = 80

    def fits(self, text: str, more: int = 1, *, slack: float = 0.5) -> bool:
        return len(text) + more + slack < self.longest


@dataclass
class Terms:
    seconds: int = 600


class Visitor(NamedTuple):
    age: int = 3


def most(first: int = MOST) -> tuple[int, int]:
    return first, TWICE
"""


def test_constants_default_arguments_and_class_attributes_have_faults() -> None:
    faults = {(fault.before, fault.after): fault.lines for fault in mutants_of(CONSTANTS)}
    assert [after for before, after in faults if before == '("alice", "bob")'] == ["('alice',)", "('bob',)"]
    assert faults['"review"', "'reviewx'"] == frozenset()  # it is not used here, so all tests are tried
    assert faults["80", "81"] == frozenset({15})
    assert faults["0.5", "1.5"] == range(15, 16)
    assert faults["3", "4"] == frozenset()


def test_constants_default_arguments_and_class_attributes_are_exchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, user = tmp_path / "faulty.py", tmp_path / "user.py"
    path.write_text(CONSTANTS)
    module = imported("faulty", path)
    monkeypatch.setitem(sys.modules, "faulty", module)
    user.write_text("from faulty import MOST, Terms, most")
    using = imported("user", user)
    monkeypatch.setitem(sys.modules, "user", using)
    changes = [("MOST = 5", "MOST = 6"), ("80", "81"), ("0.5", "1.5"), ("= 600", "= 601"), ("= 3", "= 4")]
    faulty = CONSTANTS
    for before, after in changes:
        faulty = faulty.replace(before, after)
    exchange(path, faulty)
    assert (using.MOST, using.most(), module.TWICE) == (6, (6, 12), 12)
    assert (module.Line.longest, module.Line().fits("x" * 78, slack=1), module.Line().fits("x" * 79)) == (
        81,
        True,
        False,
    )
    assert (using.Terms().seconds, module.Visitor().age) == (601, 4)


SCRIPT = """import { one } from "./one.js"; // 1 < 2
/** @type {number} 3 */
const LEAST = 4, WORDS = /[+/]5/;
export function count(first) {
  one(`${first < 6}`);
  return first <= LEAST && !WORDS.test("7 === 8") ? 1 : -1;
}
"""


def test_scripts_have_faults_in_what_is_run_alone() -> None:
    faults = [(fault.line, fault.before, fault.after) for fault in script_mutants_of(SCRIPT)]
    assert faults == [
        (3, "4", "5"),
        (5, "one(`${first < 6}`);", ""),
        (6, 'return first <= LEAST && !WORDS.test("7 === 8") ? 1 : -1;', ""),
        (6, "<=", "<"),
        (6, "&&", "||"),
        (6, "!", ""),
        (6, "1", "2"),
        (6, "1", "2"),
    ]


def imported(name: str, path: Path) -> ModuleType:
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_given_faults_and_the_tests_that_notice_exist() -> None:
    modules = {*TARGETS, *(test for tests in TARGETS.values() for test in tests)}
    assert [module for module in modules if not path_of(module).exists()] == []
    assert (
        list(map(str, chosen(["games/play/session.py"])))
        == list(map(str, chosen(["games.play.session"])))
        == ["games/play/session.py"]
    )
    assert [name for tests in SCRIPTS.values() for name in tests if not script_at(name).exists()] == []
    assert [path.name for path in chosen_scripts(["verify.js"])] == ["verify.js"]
    assert (len(chosen([])), len(chosen_scripts([]))) == (len(TARGETS), len(SCRIPTS))
