"""Store a populated database of this version for the tests of all later ones, on SQLite and PostgreSQL:

python -m tests.upgrade && python -m tests.with_servers python -m tests.upgrade
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.processes import own_database


def main() -> None:
    """Populate and back up a database that this process makes and removes."""
    with TemporaryDirectory() as folder, own_database(Path(folder), is_empty=True) as environment:
        os.environ |= environment | {"PYRAMID_DAILIES_AHEAD_DAYS": "1", "REDIS_URL": ""}
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")

        import django  # noqa: PLC0415  nothing of it may be imported before the settings are known

        django.setup()
        from django.core.management import call_command  # noqa: PLC0415
        from django.db import connections  # noqa: PLC0415

        from pyramid_server import __version__  # noqa: PLC0415
        from tests.upgrade.populate import populate  # noqa: PLC0415
        from tests.upgrade.released import keep  # noqa: PLC0415

        call_command("migrate", verbosity=0)
        populate()
        backup = Path(folder) / "backup"
        call_command("backup", str(backup))
        file = keep(backup, __version__, connections["default"].vendor)
        connections.close_all()
    sys.stdout.write(f"{file}: {file.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
