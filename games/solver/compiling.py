"""Compile kernels and keep their machine code between runs."""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import extending

_SOURCES = Path(__file__).parent


def _cache_folder() -> Path | None:
    """Return a writable folder that belongs to this version of the sources, or None.

    numba looks only at the file of the function it compiles, so that a change in a file it inlines from would go
    unnoticed; a folder named after all sources cannot be out of date.
    """
    version = hashlib.sha256(b"".join(source.read_bytes() for source in sorted(_SOURCES.glob("*.py")))).hexdigest()[:16]
    asked_for = os.environ.get("NUMBA_CACHE_DIR")
    roots = [Path(asked_for)] if asked_for else [_SOURCES / "__pycache__", Path.home() / ".cache" / "numba"]
    for root in roots:
        folder = root / f"solver-{version}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


FOLDER = _cache_folder()
if FOLDER is not None:
    numba.config.CACHE_DIR = str(FOLDER)

numba.config.LOOP_VECTORIZE = 0  # the loops are too short for it
numba.config.OPT = type(numba.config.OPT)(1)  # of three, which makes machine code that is as fast in a fifth less time

Function = Callable[..., Any]
# Nothing calls kernels from C, and only kernels call those that are inlined: Python would crash. To make ways to call
# them is a quarter of compiling.
kernel: Callable[[Function], Function] = numba.njit(cache=FOLDER is not None, nogil=True, no_cfunc_wrapper=True)
inlined: Callable[[Function], Function] = numba.njit(forceinline=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
intrinsic: Callable[[Function], Function] = extending.intrinsic
