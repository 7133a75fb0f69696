"""Small faults that a programmer could make, one at a time, each as a piece of text in place of another.

cosmic-ray changes the files themselves and starts an interpreter for every fault; neither it nor mutmut leaves out a
statement or a part of a query, which are what goes unnoticed here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Div: "*",
    ast.BitOr: "&",
}
OTHER_NAMES = {"any": "all", "all": "any", "sorted": "list", "reversed": "list"}
NARROWING = {"filter", "exclude", "order_by", "select_for_update", "distinct"}  # methods that return what they had
REMOVABLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Return, ast.Raise, ast.Delete, ast.Continue, ast.Break)


class Mutant(NamedTuple):
    """A source with one fault. `line` is where it is, counted from 1; `lines` are those of its statement's own code."""

    line: int
    lines: range
    before: str
    after: str
    source: str


def mutants_of(source: str) -> Iterator[Mutant]:
    """Yield every fault in the functions of a module, from top to bottom."""
    whole = source.encode()
    starts = list(accumulate((len(line) for line in whole.splitlines(keepends=True)), initial=0))
    module = ast.parse(source)
    lines_of = _lines_of_nodes(module)
    for node, replacement in _faults(module):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[node.end_lineno - 1] + node.end_col_offset
        mutated = whole[:first] + replacement.encode() + whole[last:]
        yield Mutant(node.lineno, lines_of[node], whole[first:last].decode(), replacement, mutated.decode())


def _lines_of_nodes(module: ast.Module) -> dict[ast.AST, range]:
    """Return the lines of the innermost statement around each node, without those of the statements inside it."""
    found: dict[ast.AST, range] = {}
    for statement in ast.walk(module):  # outer ones before inner ones
        if isinstance(statement, ast.stmt):
            assert statement.end_lineno is not None
            body = getattr(statement, "body", None)
            last = body[0].lineno - 1 if body else statement.end_lineno
            lines = range(statement.lineno, max(statement.lineno, last) + 1)
            found |= dict.fromkeys(ast.walk(statement), lines)
    return found


_Fault = tuple[ast.stmt | ast.expr, str]


def _faults(module: ast.Module) -> list[_Fault]:
    found = {
        (node.lineno, node.col_offset, text): (node, text)
        for function in ast.walk(module)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for statement in function.body
        for inner in _walk(statement)
        for node, text in _faults_at(inner)
    }
    return [fault for _, fault in sorted(found.items())]


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all below it but annotations, which are not run."""
    yield node
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in ("annotation", "returns"):
                yield from _walk(child)


def _faults_at(node: ast.AST) -> Iterator[_Fault]:
    if isinstance(node, ast.expr):
        yield from _faulty_operators(node)
        yield from _faulty_calls(node)
    else:
        yield from _faulty_statements(node)


def _faulty_statements(node: ast.AST) -> Iterator[_Fault]:
    match node:
        case ast.Expr(ast.Constant(str())):
            return  # a docstring
        case ast.stmt() if isinstance(node, REMOVABLE):
            yield node, "pass"
        case ast.If(test=test):
            yield from ((test, text) for text in ("True", "False"))
        case ast.While(test=test):
            yield test, "False"
        case ast.comprehension(ifs=conditions):
            yield from ((condition, "True") for condition in conditions)


def _faulty_operators(node: ast.expr) -> Iterator[_Fault]:
    match node:
        case ast.BoolOp(op, values):
            word = " and " if isinstance(op, ast.And) else " or "
            for left_out in values:
                yield node, _joined(word, [value for value in values if value is not left_out])
        case ast.UnaryOp(ast.Not(), operand):
            yield node, _joined("", [operand])
        case ast.Compare(left, [operator], [right]):
            yield node, _joined(f" {COMPARISONS[type(operator)]} ", [left, right])
        case ast.BinOp(left, operator, right) if type(operator) in ARITHMETIC:
            yield node, _joined(f" {ARITHMETIC[type(operator)]} ", [left, right])
        case ast.Constant(bool() as value):
            yield node, str(not value)
        case ast.Constant(int() as value):
            yield node, str(value + 1)


def _faulty_calls(node: ast.expr) -> Iterator[_Fault]:
    match node:
        case ast.IfExp(test=test):
            yield from ((test, text) for text in ("True", "False"))
        case ast.Call(ast.Name("min" | "max"), [first, second]):
            yield from ((node, _joined("", [argument])) for argument in (first, second))
        case ast.Call(ast.Name(name) as function) if name in OTHER_NAMES:
            yield function, OTHER_NAMES[name]
        case ast.Call(ast.Attribute(value, name)) if name in NARROWING:
            yield node, ast.unparse(value)


def _joined(word: str, operands: list[ast.expr]) -> str:
    return f"({word.join(f'({ast.unparse(operand)})' for operand in operands)})"
