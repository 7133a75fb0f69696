"""Small faults that a programmer could make, one at a time, each as a piece of text in place of another.

cosmic-ray changes the files themselves and starts an interpreter for every fault; neither it nor mutmut leaves out a
statement or a part of a query, which are what goes unnoticed here.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
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
MADE_ONCE = {"Struct", "Enum", "StrEnum", "IntEnum", "TextChoices", "IntegerChoices", "Model"}  # whose attributes stay
REMOVABLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Return, ast.Raise, ast.Delete, ast.Continue, ast.Break)


class Mutant(NamedTuple):
    """A source with one fault. `line` is where it is, counted from 1.

    `lines` are those whose tests may notice: of its statement's own code, or where the faulty constant is used; none
    stands for all of the module.
    """

    line: int
    lines: Collection[int]
    before: str
    after: str
    source: str


def mutants_of(source: str) -> Iterator[Mutant]:
    """Yield every fault in a module's functions, their default arguments, and constants, from top to bottom."""
    whole = source.encode()
    starts = list(accumulate((len(line) for line in whole.splitlines(keepends=True)), initial=0))
    module = ast.parse(source)
    lines_of = _lines_of_nodes(module)
    reached_by = _lines_of_constants(module, lines_of) | _lines_of_defaults(module)
    for node, replacement in _faults(module):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[node.end_lineno - 1] + node.end_col_offset
        mutated = whole[:first] + replacement.encode() + whole[last:]
        yield Mutant(
            node.lineno, reached_by.get(node, lines_of[node]), whole[first:last].decode(), replacement, mutated.decode()
        )


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


def _lines_of_constants(module: ast.Module, lines_of: dict[ast.AST, range]) -> dict[ast.AST, Collection[int]]:
    """Return the lines of the statements in functions that use the constant or class attribute around each node."""
    uses = [
        (name, lines_of[node])
        for function in functions_in(module.body)
        for node in ast.walk(function)
        if (name := getattr(node, "id", None) or getattr(node, "attr", None))
    ]
    found: dict[ast.AST, Collection[int]] = {}
    for name, value in constants_in(module.body):
        lines = frozenset(line for used, lines in uses if used == name for line in lines)
        found |= dict.fromkeys(ast.walk(value), lines)
    return found


def _lines_of_defaults(module: ast.Module) -> dict[ast.AST, Collection[int]]:
    """Return the lines of the function around each node of a default argument."""
    return {
        node: range(function.body[0].lineno, (function.end_lineno or 0) + 1)
        for function in functions_in(module.body)
        for default in defaults_of(function)
        for node in ast.walk(default)
    }


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions_in(body: Sequence[ast.stmt]) -> Iterator[Function]:
    """Yield the functions of a module and the methods of its classes."""
    for node in body:
        if isinstance(node, Function):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from functions_in(node.body)


def defaults_of(function: Function) -> list[ast.expr]:
    return [*function.args.defaults, *filter(None, function.args.kw_defaults)]


def constants_in(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names and values of a module's constants and of the class attributes that can be exchanged."""
    for node in body:
        match node:
            case ast.ClassDef() if not MADE_ONCE & {ast.unparse(base).rpartition(".")[2] for base in node.bases}:
                yield from constants_in(node.body)
            case _ if (constant := constant_of(node)) is not None:
                yield constant


def constant_of(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """Return the name that a statement assigns to, and the value; None for any other statement."""
    match node:
        case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), value=ast.expr() as value) if (
            not name.startswith("__")
        ):
            return name, value
    return None


_Fault = tuple[ast.stmt | ast.expr, str]


def _faults(module: ast.Module) -> list[_Fault]:
    code = [
        statement
        for function in ast.walk(module)
        if isinstance(function, Function)
        for statement in (*function.body, *defaults_of(function))
    ]
    constants = [value for _, value in constants_in(module.body)]
    faults = [fault for top in (*code, *constants) for inner in _walk(top) for fault in _faults_at(inner)]
    faults += [fault for value in constants for fault in _faulty_constants(value)]
    found = {(node.lineno, node.col_offset, text): (node, text) for node, text in faults}
    return [fault for _, fault in sorted(found.items(), key=lambda fault: fault[0])]


def _faulty_constants(value: ast.expr) -> Iterator[_Fault]:
    """Yield faults of constants alone: texts and collections are many in functions, and most are for people."""
    match value:
        case ast.Constant(str() as text):
            yield value, repr(f"{text}x")
        case ast.Tuple(elements) | ast.List(elements) | ast.Set(elements) if len(elements) > 1:
            opening, closing = {ast.Tuple: ("(", ",)"), ast.List: "[]", ast.Set: "{}"}[type(value)]
            for left_out in elements:
                rest = ", ".join(ast.unparse(element) for element in elements if element is not left_out)
                yield value, f"{opening}{rest}{closing}"
        case ast.Dict(keys, values) if len(keys) > 1:
            pairs = [f"{ast.unparse(key)}: {ast.unparse(item)}" for key, item in zip(keys, values, strict=True) if key]
            yield from ((value, f"{{{', '.join(pair for pair in pairs if pair != left_out)}}}") for left_out in pairs)


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
        case ast.Constant(int() | float() as value):
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
