"""Print what the database keeps of every game, as JSON: python -m tests.chaos.logs"""

from __future__ import annotations

import json
import os
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
django.setup()

from games.models import Game  # noqa: E402  models exist only from here on


def kept(game: Game) -> dict[str, Any]:
    """Return a game's log and its end, and how both come out when the log is replayed, which raises if it cannot be."""
    replayed = game.record().replay()
    return {
        "log": list(game.log.order_by("version", "pk").values_list("version", "action")),
        "status": game.status,
        "replayed": replayed.version,
        "result": replayed.result,
    }


print(json.dumps({game.id: kept(game) for game in Game.objects.select_related("player", "deal")}))
