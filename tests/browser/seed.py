"""Fill a database with past days and players, through the services: `python -m tests.browser.seed [DAYS] [PLAYERS]`.

The days that are final by now are sealed.
"""

from __future__ import annotations

import os
import random
import sys
from datetime import UTC, datetime, timedelta

import django
import time_machine

NAMES = ("Mira", "Oskar", "Tomoko", "Bez", "Ines", "Juha", "Leila", "Pavel", "Zoë", "Wilhelmina van der Meer-Okonkwo")
DAYS = 4
SECONDS_A_MOVE = 3


def main(days: int = DAYS, most_players: int = len(NAMES)) -> None:
    """Let some people play the last days, one of them to the win where there is one."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    from games.services.dailies import ensure_dailies  # noqa: PLC0415  models exist from here on
    from games.services.players import new_guest  # noqa: PLC0415
    from leaderboards import tasks  # noqa: PLC0415

    noon = datetime.now(UTC).replace(hour=0, minute=0, second=1, microsecond=0)
    players = [new_guest(name) for name in NAMES[:most_players]]
    for ago in range(days, -1, -1):
        morning = noon - timedelta(days=ago)
        ensure_dailies(morning)
        with time_machine.travel(morning + timedelta(minutes=5)):
            for index, player in enumerate(players):
                if (index + ago) % 4:
                    _play(player, morning, random.Random(100 * ago + index))
    tasks.seal_days(datetime.now(UTC))


def _play(player: object, morning: datetime, chance: random.Random) -> None:
    from games.models import Player  # noqa: PLC0415
    from games.rules import GameOver  # noqa: PLC0415
    from games.services.sessions import begin, find_game, load_session  # noqa: PLC0415
    from games.services.starting import start_ranked  # noqa: PLC0415
    from tests.games.doors import commit  # noqa: PLC0415

    assert isinstance(player, Player)
    now = morning
    game = start_ranked(player, "standard", now)
    begin(game.id, now)
    session = load_session(find_game(game.id), now)
    for _ in range(chance.randrange(20, 90)):
        legal = session.play.legal_moves
        removals = [move for move in legal if move.cards]
        move = chance.choice(removals or list(legal))
        now += timedelta(seconds=chance.uniform(0.5, SECONDS_A_MOVE))
        change = session.act(move, session.play.version, now)
        commit(change)
        if change.summary:
            return
    try:
        commit(session.resign(session.play.version, now))
    except GameOver:
        return


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
