"""Run tests against a module with a fault, in a forked process in which everything is imported; no file is changed."""

from __future__ import annotations

import ast
import gc
import inspect
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import NoReturn, TypeGuard

from tests.mutation.operators import Function, constant_of, defaults_of

POLL_SECONDS = 0.02
PASSED, FAILED, BROKEN = range(3)


class Trial:
    """Work in a process of its own, which may leave files behind in `folder`. `passed` is None until it has ended."""

    def __init__(self, work: Callable[[], bool], folder: Path) -> None:
        self.passed: bool | None = None
        self._folder = folder
        folder.mkdir()
        sys.stdout.flush()
        self._process = os.fork()
        if not self._process:
            os.setpgid(0, 0)
            _be_child(work, folder)
        with suppress(PermissionError):  # the child was quicker
            os.setpgid(self._process, self._process)

    def has_ended(self) -> bool:
        """Look whether the work has ended."""
        process, status = os.waitpid(self._process, os.WNOHANG)
        if not process:
            return False
        code = os.waitstatus_to_exitcode(status)
        self.passed = code == PASSED
        assert code != BROKEN, "a trial could not be made; MUTANTS_OUTPUT=file says why"
        self.stop()
        shutil.rmtree(self._folder)
        return True

    def stop(self) -> None:
        """End the work, and whatever it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process, signal.SIGKILL)


def _be_child(work: Callable[[], bool], folder: Path) -> NoReturn:
    code = FAILED
    try:
        output = os.open(os.environ.get("MUTANTS_OUTPUT", os.devnull), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
        code = PASSED if work() else FAILED
    except Exception:  # noqa: BLE001  tests catch theirs, so this is one of the tool
        traceback.print_exc()
        code = BROKEN
    finally:
        sys.stderr.flush()
        os._exit(code)  # threads that a fault has left waiting would never end


def exchange(path: Path, source: str) -> None:
    """Give an imported module the functions, default arguments, constants and class attributes of another source."""
    file, text = str(path.resolve()), path.read_text()
    gc.unfreeze()  # what a server has frozen when it starts is not among the objects otherwise
    functions = [function for function in gc.get_objects() if _is_function_of(function, file)]
    modules = [module for module in list(sys.modules.values()) if getattr(module, "__file__", None) == file]
    for module in modules:
        Values(module, functions).exchange(module, ast.parse(text).body, ast.parse(source).body)
    _exchange_code(functions, compile(text, file, "exec"), compile(source, file, "exec"))


def _exchange_code(functions: list[FunctionType], before: CodeType, after: CodeType) -> None:
    pairs = list(zip_longest(_functions_of(before), _functions_of(after)))
    if any(None in pair for pair in pairs):
        return  # a constant lacks the function that it had
    new = {(old.co_qualname, old.co_firstlineno): code for old, code in pairs}
    for function in functions:
        old = function.__code__
        function.__code__ = new.get((old.co_qualname, old.co_firstlineno), old)


class Values:
    """Those of a module that are made when it is imported."""

    def __init__(self, module: ModuleType, functions: list[FunctionType]) -> None:
        self._module, self._functions = module, functions
        self._changed: set[str] = set()

    def exchange(
        self, owner: ModuleType | type, before: Sequence[ast.stmt], after: Sequence[ast.stmt], prefix: str = ""
    ) -> None:
        """Exchange what is different, and what is made of it, in a module or class."""
        for old, new in zip(before, after, strict=True):
            if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef):
                self.exchange(vars(owner)[old.name], old.body, new.body, f"{prefix}{old.name}.")
            elif isinstance(old, Function) and isinstance(new, Function):
                if any(map(self._is_changed, defaults_of(old), defaults_of(new))):
                    self._exchange_defaults(owner, f"{prefix}{old.name}", new)
            elif (constant := constant_of(new)) is not None and self._is_changed(old, new):
                name, value = constant
                self._changed.add(name)
                self._exchange_constant(owner, name, self._value(owner, value))

    def _is_changed(self, old: ast.AST, new: ast.AST) -> bool:
        names = {node.id for node in ast.walk(new) if isinstance(node, ast.Name)}
        return bool(names & self._changed) or ast.dump(old) != ast.dump(new)

    def _value(self, owner: ModuleType | type, value: ast.expr) -> object:
        code = compile(ast.Expression(value), str(self._module.__file__), "eval")
        return eval(code, vars(self._module), dict(vars(owner)))  # noqa: S307  it is a line of the project

    def _exchange_defaults(self, owner: ModuleType | type, qualified: str, new: Function) -> None:
        positional = tuple(self._value(owner, default) for default in new.args.defaults)
        keywords = zip(new.args.kwonlyargs, new.args.kw_defaults, strict=True)
        named = {argument.arg: self._value(owner, default) for argument, default in keywords if default}
        for function in self._functions:
            if function.__code__.co_qualname == qualified:
                function.__defaults__, function.__kwdefaults__ = positional or None, named or None

    def _exchange_constant(self, owner: ModuleType | type, name: str, value: object) -> None:
        if isinstance(owner, type):
            _exchange_attribute(owner, name, value)
            return
        old = getattr(owner, name)
        for module in list(sys.modules.values()):
            if vars(module).get(name) is old:  # it was imported there
                setattr(module, name, value)


def _exchange_attribute(owner: type, name: str, value: object) -> None:
    """Exchange a class attribute, or the default of a field in a data class or named tuple."""
    makers = [vars(owner).get("__init__"), vars(owner).get("__new__")]
    of_fields = [maker for maker in makers if isinstance(maker, FunctionType) and _exchange_default(maker, name, value)]
    if not of_fields:
        setattr(owner, name, value)


def _exchange_default(function: FunctionType, name: str, value: object) -> bool:
    """Exchange the default of one argument; return False if it has none."""
    if function.__kwdefaults__ and name in function.__kwdefaults__:
        function.__kwdefaults__[name] = value
        return True
    defaults = list(function.__defaults__ or ())
    with_default = function.__code__.co_varnames[: function.__code__.co_argcount][-len(defaults) :] if defaults else ()
    if name not in with_default:
        return False
    defaults[with_default.index(name)] = value
    function.__defaults__ = tuple(defaults)
    return True


def _is_function_of(thing: object, file: str) -> TypeGuard[FunctionType]:
    # A lazy object has another class.
    return type(thing) is FunctionType and thing.__code__.co_filename == file


def _functions_of(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of the functions in a module and of the methods in its classes."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and constant.co_name != "__annotate__":  # annotations, from Python 3.14 on
            if constant.co_flags & inspect.CO_OPTIMIZED:
                yield constant
            else:  # a class
                yield from _functions_of(constant)
