"""The use that a process makes of its machine, served at `/metrics`."""

import os
import resource
import shutil
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from prometheus_client import Gauge

from games.runtime import descriptors

_memory = Gauge("pyramid_memory_bytes", "Memory of a process that is in use.", multiprocess_mode="livemax")
_descriptors = Gauge(
    "pyramid_descriptors_used_ratio", "Part of its file descriptors that a process uses.", multiprocess_mode="livemax"
)
_disk = Gauge(
    "pyramid_disk_free_ratio",
    "Part of the disk with the SQLite database that is free; 1 with PostgreSQL, which has a disk of its own.",
    multiprocess_mode="livemin",
)
_MEMORY = Path("/proc/self/statm")  # of Linux; the second number counts pages


def measure() -> None:
    """Set the metrics of this process; what cannot be read, such as a file without descriptors, stays as it was."""
    _descriptors.set(descriptors.used_ratio())
    with suppress(OSError):
        _disk.set(_free_ratio())
        _memory.set(_memory_bytes())


def _memory_bytes() -> int:
    if _MEMORY.exists():
        return int(_MEMORY.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _free_ratio() -> float:
    database = settings.DATABASES["default"]
    if database["ENGINE"] != "django.db.backends.sqlite3":
        return 1.0
    total, _, free = shutil.disk_usage(Path(database["NAME"]).parent)
    return free / total
