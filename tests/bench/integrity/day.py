"""A populated day with a bot, a scout and a copyist planted: make integrity-day (PLAYERS=1000 DAYS=14 SEED=day).

It runs on a database of its own, in a temporary folder.
"""

from __future__ import annotations

import os
import secrets
from tempfile import TemporaryDirectory

import django
from django.core.management import call_command

if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{folder}/day.sqlite3"
        os.environ["PYRAMID_SECRET_KEY"] = secrets.token_urlsafe(50)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
        django.setup()
        call_command("migrate", verbosity=0)
        from tests.bench.integrity.populated_day import run

        run(
            players=int(os.environ.get("PLAYERS") or 1000),
            days=int(os.environ.get("DAYS") or 14),
            seed=os.environ.get("SEED") or "day",
        )
