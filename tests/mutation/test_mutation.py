from __future__ import annotations

from pathlib import Path

from tests.mutation.operators import mutants_of
from tests.mutation.targets import TARGETS, chosen

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


def test_what_is_given_faults_and_the_tests_that_notice_exist() -> None:
    paths = [Path(path) for path in TARGETS] + [
        Path(argument.split("::")[0]) for runs in TARGETS.values() for run in runs for argument in run.split()
    ]
    assert [path for path in paths if not path.exists()] == []
    assert set(map(str, chosen(["games/session.py"]))) == {"games/session.py"}
