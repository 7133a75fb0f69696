"""The command `python -m games.solver`, as programs of others use it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from games.rules import RULE_SETS, Deck, Move, Position
from games.solver.json_lines import main
from tests.games.conftest import DECK
from tests.processes import PROJECT

TWO_CARDS = "Kc/----/------/--------/----------/------------/-------------- |Kd 2"
DEAD = "5c/----/------/--------/----------/------------/-------------- |9d 2"
COMMAND = [sys.executable, "-m", "games.solver"]
NO_SETTINGS = {name: os.environ[name] for name in ("PYTHONPYCACHEPREFIX", "NUMBA_CACHE_DIR") if name in os.environ}
MILLISECONDS = re.compile(r'"ms": [\d.]+')


class Asked:
    """The answers to lines of text, and the exit code."""

    def __init__(self, output: pytest.CaptureFixture[str], *lines: str, options: str = "--rules=relaxed") -> None:
        self.exit_code = main(options.split(), [f"{line}\n" for line in lines])
        self.answers: list[dict[str, Any]] = [json.loads(line) for line in output.readouterr().out.splitlines()]


def test_the_example_of_the_document_prints_what_the_document_says() -> None:
    commands, output = blocks_after("## For programs")
    command = ["/bin/bash", "-c", commands.replace(".venv/bin/python", sys.executable)]
    done = subprocess.run(command, cwd=PROJECT, env=NO_SETTINGS, capture_output=True, text=True, check=False)
    assert MILLISECONDS.sub("", done.stdout) == MILLISECONDS.sub("", output)
    assert (done.returncode, done.stderr) == (1, "")


def blocks_after(heading: str) -> Iterator[str]:
    document = (PROJECT / "docs/solver.md").read_text("utf-8").split(heading)[1]
    blocks = re.findall(r"(?:^ {4}.*\n)+", document, re.MULTILINE)
    return (re.sub("^ {4}", "", block, flags=re.MULTILINE) for block in blocks[:2])


@pytest.mark.parametrize("question", ["shortest", "any"])
def test_the_moves_of_a_line_lead_to_the_win(question: str, capsys: pytest.CaptureFixture[str]) -> None:
    (answer,) = Asked(capsys, DECK, options=f"--rules=TUTS-tomb --question={question}").answers
    position = Position.deal(Deck.from_text(answer["deck"]), RULE_SETS[answer["rules"]])
    for move in answer["moves"]:
        position = position.after(Move.from_text(move))
    assert position.is_won
    assert (answer["status"], answer["rules"], answer["length"]) == ("solved", "tuts-tomb", len(answer["moves"]))


@pytest.mark.parametrize(
    ("line", "options", "status"), [(DEAD, "", "unwinnable"), (DECK, "--node-limit=1", "unknown")], ids=["dead", "cut"]
)
def test_without_a_line_there_is_neither_length_nor_moves(
    line: str, options: str, status: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (answer,) = Asked(capsys, line, options=f"--rules=relaxed {options}").answers
    assert (answer["status"], answer["length"], answer["moves"]) == (status, None, None)


@pytest.mark.parametrize("rules", ["relaxed", "standard", "cell"])
def test_a_verdict_says_only_whether_there_is_a_line(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    (answer,) = Asked(capsys, DECK, options=f"--rules={rules} --question=verdict").answers
    nodes, milliseconds = answer.pop("nodes"), answer.pop("ms")
    assert answer == {"deck": DECK, "rules": rules, "status": "solved"}
    assert (nodes > 0, milliseconds > 0) == (rules != "standard", True)


def test_invalid_lines_are_answered_in_their_place_and_the_exit_code_is_1(capsys: pytest.CaptureFixture[str]) -> None:
    asked = Asked(capsys, TWO_CARDS, "", "no card", DEAD, DECK[:-2], f"{DECK[:-2]}??")
    assert [line.get("status") or (line["line"], line["error"]) for line in asked.answers] == [
        "solved",
        (3, "bad_notation"),
        "unwinnable",
        (5, "bad_notation"),
        (6, "bad_notation"),
    ]
    assert asked.exit_code == 1
    assert Asked(capsys, TWO_CARDS, DEAD).exit_code == 0


def test_an_answer_comes_before_the_next_line_is_read_and_bytes_outside_utf_8_make_an_invalid_line() -> None:
    command = [*COMMAND, "--rules", "relaxed"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=PROJECT, env=NO_SETTINGS, stdin=pipe, stdout=pipe) as asked:
        assert asked.stdin
        assert asked.stdout
        for line in (TWO_CARDS.encode(), b"\xff"):
            asked.stdin.write(line + b"\n")
            asked.stdin.flush()
            answer = json.loads(asked.stdout.readline())
            assert answer.get("position") == TWO_CARDS or answer["error"] == "bad_notation"
        asked.stdin.close()
    assert asked.returncode == 1


def test_compiling_in_advance_reads_and_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    asked = Asked(capsys, TWO_CARDS, options="--compile")
    assert (asked.exit_code, asked.answers) == (0, [])


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("", "one of the arguments --rules --compile is required"),
        ("--rules=klondike", "no rule set is called 'klondike'"),
        ("--rules=relaxed --compile", "not allowed with argument"),
        ("--rules=relaxed --node-limit=0", "'0' is not a whole number of 1 or more"),
        ("--rules=relaxed --question=par", "invalid choice: 'par'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(options.split(), [])
    assert why in capsys.readouterr().err


def test_neither_a_framework_nor_a_driver_of_a_database_is_loaded() -> None:
    code = "import sys, games.solver.json_lines; print({'django', 'psycopg', 'redis'} & sys.modules.keys())"
    command = [sys.executable, "-c", code]
    assert (
        subprocess.run(command, cwd=PROJECT, env=NO_SETTINGS, stdout=subprocess.PIPE, check=True).stdout == b"set()\n"
    )
