"""The command `python -m games.solver`: a deck or position a line in, an answer as JSON a line out."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

from games.rules import RULE_SETS, Deck, Position, RulesError, RuleSet
from games.solver.preparing import prepare, prepare_search
from games.solver.solution import NODE_LIMIT, Solution, Status, find_win, solve, verdict_with_nodes

PILE_MARKS = "/|"  # every position has one of them, no deck has

Answer = dict[str, Any]
STATUSES = {True: Status.SOLVED, False: Status.UNWINNABLE, None: Status.UNKNOWN}


def main(arguments: list[str], lines: Iterable[str]) -> int:
    """Answer every line on standard output and return the exit code: 1 if any line was invalid."""
    asked = _parser().parse_args(arguments)
    if asked.compile:
        prepare()
        return 0
    prepare_search(asked.rules)  # loading the search does not count in the time of the first line
    exit_code = 0
    for number, line in enumerate(lines, 1):
        if text := line.strip():
            answer = answer_to(text, asked.rules, QUESTIONS[asked.question], asked.node_limit)
            if "error" in answer:
                answer = {"line": number} | answer
                exit_code = 1
            sys.stdout.write(f"{json.dumps(answer)}\n")
            sys.stdout.flush()
    return exit_code


def answer_to(text: str, rules: RuleSet, question: Callable[[Position, int], Answer], node_limit: int) -> Answer:
    """Return the answer to one deck or position, or what is wrong with it."""
    try:
        position = position_of(text, rules)
        started = perf_counter()
        found = question(position, node_limit)
    except RulesError as error:
        return {"error": error.code, "message": str(error)}
    milliseconds = round((perf_counter() - started) * 1000, 2)
    return {_kind(text): text, "rules": rules.slug} | found | {"ms": milliseconds}


def position_of(text: str, rules: RuleSet) -> Position:
    """Read a position, or the initial one of a deck. Raises `NotationError`."""
    return Position.from_text(text, rules) if _kind(text) == "position" else Position.deal(Deck.from_text(text), rules)


def _kind(text: str) -> str:
    return "position" if any(mark in text for mark in PILE_MARKS) else "deck"


def _shortest(position: Position, node_limit: int) -> Answer:
    return _with_line(solve(position, node_limit=node_limit))


def _any(position: Position, node_limit: int) -> Answer:
    return _with_line(find_win(position, node_limit=node_limit))


def _with_line(solution: Solution) -> Answer:
    moves = [move.text for move in solution.moves] if solution.status is Status.SOLVED else None
    return {"status": solution.status, "length": solution.length, "moves": moves, "nodes": solution.nodes}


def _verdict(position: Position, node_limit: int) -> Answer:
    winnable, nodes = verdict_with_nodes(position, node_limit=node_limit)
    return {"status": STATUSES[winnable], "nodes": nodes}


QUESTIONS: dict[str, Callable[[Position, int], Answer]] = {"shortest": _shortest, "any": _any, "verdict": _verdict}


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        "python -m games.solver",
        description="Solve decks and positions, one a line of standard input, written as in docs/notation.md. Each "
        "answer is a line of JSON, written at once. An invalid line is answered with its number, a code and a message, "
        "and the exit code is then 1.",
        epilog="Example: python -m games.solver --rules relaxed < decks.txt",
    )
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--rules", type=_rule_set, metavar="NAME", help="the rule set, such as relaxed")
    task.add_argument("--compile", action="store_true", help="compile the solver in advance, and solve nothing")
    parser.add_argument(
        "--question",
        choices=QUESTIONS,
        default="shortest",
        help="a shortest line (the default), any line, which is found sooner, or only whether there is one",
    )
    parser.add_argument(
        "--node-limit",
        type=_limit,
        default=NODE_LIMIT,
        metavar="N",
        help="give up after N nodes and answer unknown (default: a million)",
    )
    return parser


def _rule_set(name: str) -> RuleSet:
    try:
        return RULE_SETS[name]
    except RulesError as error:
        raise ArgumentTypeError(str(error)) from error


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text!r} is not a whole number of 1 or more")
    return int(text)
