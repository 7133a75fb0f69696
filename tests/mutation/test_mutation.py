from __future__ import annotations

import gc
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from tests.mutation.operators import mutants_of
from tests.mutation.targets import TARGETS, chosen
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
    spec = spec_from_file_location("faulty", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    door, kept = module.Door(), [module.count, module.is_never_changed]
    gc.freeze()
    exchange(path, MODULE.replace("return True", "pass\n        return False").replace("first + 1", "first - 1"))
    assert (door.is_open, kept[0](3), kept[1]()) == (False, 2, "as before")


def test_what_is_given_faults_and_the_tests_that_notice_exist() -> None:
    paths = [Path(path) for path in TARGETS] + [
        Path(argument.split("::")[0]) for runs in TARGETS.values() for run in runs for argument in run.split()
    ]
    assert [path for path in paths if not path.exists()] == []
    assert set(map(str, chosen(["games/session.py"]))) == {"games/session.py"}
