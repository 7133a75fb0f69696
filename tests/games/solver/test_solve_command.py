from __future__ import annotations

import re
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.rules import RULE_SETS, Deck, Move, Position
from tests.games.conftest import DECK

RELAXED = RULE_SETS["relaxed"]
LAYOUT = Position.deal(Deck.from_text(DECK), RELAXED)
WON = "--/----/------/--------/----------/------------/-------------- | 2"
TWO_CARDS = "Kc/----/------/--------/----------/------------/-------------- |Kd 2"
DEAD = "5c/----/------/--------/----------/------------/-------------- |9d 2"
FIGURES = re.compile(r"(\w+) length=(\d+|-) nodes=\d+ ms=\d+\.\d ?(.*)")


class Console:
    """The output of a command, and its end."""

    def __init__(self, *arguments: str) -> None:
        out, err = StringIO(), StringIO()
        self.exit_code = 0
        try:
            call_command("solve", *arguments, "--rules", "relaxed", stdout=out, stderr=err, no_color=True)
        except SystemExit as end:
            self.exit_code = int(end.code or 0)
        self.answers = [FIGURES.fullmatch(line) for line in out.getvalue().splitlines()]
        self.refusals = err.getvalue().splitlines()

    @property
    def statuses(self) -> list[str]:
        return [answer[1] for answer in self.answers if answer]

    @property
    def lengths(self) -> list[str]:
        return [answer[2] for answer in self.answers if answer]


def test_a_deck_is_solved_by_a_line_that_replays_and_wins() -> None:
    (answer,) = Console(DECK).answers
    assert answer
    moves, position = answer[3].split(), LAYOUT
    for move in moves:
        position = position.after(Move.from_text(move))
    assert position.is_won
    assert (answer[1], answer[2], len(moves)) == ("solved", "32", 32)


@pytest.mark.parametrize(
    ("position", "status", "length"),
    [(LAYOUT.text, "solved", "32"), (TWO_CARDS, "solved", "1"), (WON, "solved", "0"), (DEAD, "unwinnable", "-")],
)
def test_a_position_is_answered_with_status_and_length(position: str, status: str, length: str) -> None:
    console = Console(position)
    assert (console.statuses, console.lengths, console.exit_code) == ([status], [length], 0)


def test_beyond_the_node_limit_it_is_unknown() -> None:
    assert Console(DECK, "--node-limit", "1").statuses == ["unknown"]


@pytest.mark.usefixtures("jobs_in_this_process")
@pytest.mark.parametrize("arguments", [[], ["-"], ["--jobs", "2"]], ids=" ".join)
def test_many_are_read_from_the_standard_input_and_answered_in_order(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO(f"{TWO_CARDS}\n\nnonsense\n{DEAD}\n{DECK}\n{DECK[:-2]}\n{WON}\n"))
    console = Console(*arguments)
    assert console.lengths == ["1", "-", "32", "0"]
    assert [refusal.split(": ")[:2] for refusal in console.refusals] == [
        ["line 3", "bad_notation"],
        ["line 6", "bad_notation"],
    ]
    assert console.exit_code == 1


def test_an_empty_standard_input_is_no_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO())
    console = Console()
    assert (console.answers, console.refusals, console.exit_code) == ([], [], 0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nonsense", "no card at"),
        (DECK[:-2], "a deck has 52 or 104 cards"),
        (f"{DECK[:-2]}{DECK[:2]}", "5c appears twice"),
        (f"{DECK[:-2]}??", "needs a position without unseen cards"),
        (LAYOUT.text.replace("8d8s", "8d??"), "needs a position without unseen cards"),
        (f"{WON} 3", ""),
        (f"{DECK}{DECK.upper()}", ""),
        ("", ""),
    ],
)
def test_what_the_rules_refuse_has_their_code_and_one_line(text: str, why: str) -> None:
    console = Console(text)
    (refusal,) = console.refusals
    assert refusal.startswith("bad_notation: ")
    assert why in refusal
    assert (console.answers, console.exit_code) == ([], 1)


def test_a_rule_set_that_does_not_exist_is_refused() -> None:
    with pytest.raises(CommandError, match="unknown_rule_set: no rule set is called 'klondike'"):
        call_command("solve", DECK, "--rules", "klondike")


@pytest.mark.parametrize("option", ["--jobs", "--node-limit"])
@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", "\u0663"])
def test_a_number_that_makes_no_sense_is_refused(option: str, number: str) -> None:
    with pytest.raises(CommandError, match="a whole number of 1 or more"):
        call_command("solve", DECK, f"{option}={number}")


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_it_says_that_it_reads_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(f"{TWO_CARDS}\n"))
    console = Console()
    assert console.statuses == ["solved"]
    assert console.refusals == ["Reading positions and decks from the terminal, one per line; Ctrl-D ends."]
    monkeypatch.setattr(sys, "stdin", StringIO(f"{TWO_CARDS}\n"))
    assert Console("-").refusals == []
