"""Fail if loading anything switches the interpreter's lock on again: python3.14t -m tests.free_threads"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
import sysconfig
import warnings
from collections.abc import Iterator

OURS = ("games", "leaderboards", "pyramid_server")
# Loaded by those who need them.
BY_NAME = ("uvloop", "websockets.speedups", "daphne.server", "psycopg_pool", "redis.asyncio")


def main() -> None:
    """Load all code and print what needs the lock; `SystemExit` says what, or that this Python always has one."""
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        sys.exit(f"Python {sys.version.split()[0]} has the lock in any case; run a free-threaded build, such as 3.14t")
    os.environ |= {"DJANGO_SETTINGS_MODULE": "pyramid_server.settings", "PYRAMID_HEARTBEAT_SECONDS": "0"}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        number = len([importlib.import_module(name) for name in _names()])
    need_it = [str(each.message) for each in caught if "GIL" in str(each.message)]
    if need_it or sys._is_gil_enabled():  # type: ignore[attr-defined]  # since 3.13
        sys.exit("\n".join(need_it) or "The lock is on; is PYTHON_GIL set?")
    sys.stdout.write(f"{number} modules and what they use are loaded, and threads still run at the same time.\n")


def _names() -> Iterator[str]:
    import django  # noqa: PLC0415  the settings are named first

    django.setup()
    yield from BY_NAME
    for name in OURS:
        package = importlib.import_module(name)
        yield from (module.name for module in pkgutil.walk_packages(package.__path__, f"{name}."))


if __name__ == "__main__":
    main()
