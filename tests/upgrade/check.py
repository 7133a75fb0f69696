"""Restore the backup of a release, migrate it and verify everything: python -m tests.upgrade.check BACKUP

Raises whatever a command raises. Prints what the commands say, and the number of rows of each table afterwards.
"""

from __future__ import annotations

import os
import sys
from datetime import timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
django.setup()

from django.apps import apps  # noqa: E402  what follows needs the setup
from django.core.management import call_command  # noqa: E402

from games.models import Game  # noqa: E402
from games.rules import DRAW  # noqa: E402
from games.services.sessions import load_session  # noqa: E402
from tests.games.doors import commit  # noqa: E402


def main(backup: str) -> None:
    call_command("restore", backup)
    call_command("migrate", verbosity=0)
    for command in ("verify_daily", "verify_scores", "verify_decisions"):
        call_command(command)
    _play_on()
    for model in apps.get_models():
        print(model._meta.label, model._default_manager.count())  # noqa: T201


def _play_on() -> None:
    """Make another move in the ranked game that was being played, before its day ends."""
    game = Game.objects.select_related("daily", "deal", "player").get(status=Game.Status.PLAYING)
    assert game.started_at
    now = game.started_at + timedelta(minutes=5)
    session = load_session(game, now)
    commit(session.act(DRAW, session.play.version, now))


if __name__ == "__main__":
    main(sys.argv[1])
