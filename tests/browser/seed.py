"""Fill a database through the services with players, past days and races: `python -m tests.browser.seed`.

The arguments are how many days, players and races. The days that are final by now are sealed.
"""

from __future__ import annotations

import os
import random
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import django
import time_machine

if TYPE_CHECKING:
    from games.players.models import Player

NAMES = ("Mira", "Oskar", "Tomoko", "Bez", "Ines", "Juha", "Leila", "Pavel", "Zoë", "Wilhelmina van der Meer-Okonkwo")
DAYS = 4
SECONDS_A_MOVE = 3
RACES, RACERS = 12, 6


def main(days: int = DAYS, most_players: int = len(NAMES), races: int = RACES) -> None:
    """Let some people play the last days, one of them to the win where there is one."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    from games.accounts.guests import new_guest  # noqa: PLC0415
    from games.calendar.dailies import ensure_dailies  # noqa: PLC0415  models exist from here on
    from games.tlog.signing import sign_log  # noqa: PLC0415
    from leaderboards.audit.sealing import seal_days  # noqa: PLC0415

    noon = datetime.now(UTC).replace(hour=0, minute=0, second=1, microsecond=0)
    players = [new_guest(name) for name in NAMES[:most_players]]
    for ago in range(days, -1, -1):
        morning = noon - timedelta(days=ago)
        ensure_dailies(morning)
        with time_machine.travel(morning + timedelta(minutes=5)):
            for index, player in enumerate(players):
                if (index + ago) % 4:
                    _play(player, morning, random.Random(100 * ago + index))
    seal_days(datetime.now(UTC))
    sign_log(datetime.now(UTC))
    for player in players[:RACERS]:
        player.is_guest = False  # guests are not rated
        player.save()
    for ago in range(races, 0, -1):
        _race(players[:RACERS], datetime.now(UTC) - timedelta(hours=ago), random.Random(ago))


def _play(player: object, morning: datetime, chance: random.Random) -> None:
    from games.play.sessions import begin  # noqa: PLC0415
    from games.play.starting import start_ranked  # noqa: PLC0415
    from games.players.models import Player  # noqa: PLC0415

    assert isinstance(player, Player)
    game = start_ranked(player, "standard", morning)
    begin(game.id, morning)
    _play_on(game.id, morning, chance)


def _race(players: list[Player], at: datetime, chance: random.Random) -> None:
    """Run a public race, which is rated."""
    from games.calendar.models import Deal  # noqa: PLC0415
    from games.races import course  # noqa: PLC0415
    from games.races.models import Race  # noqa: PLC0415
    from games.races.ratings import rate_races  # noqa: PLC0415
    from tests.games.conftest import DECK  # noqa: PLC0415

    deal = Deal.objects.create(rules="relaxed", deck=DECK, created_at=at, is_winnable=True)
    terms = {"tie_break": "time", "limit_s": 600, "countdown_s": 10, "is_public": True, "admits_bots": False}
    race = Race.objects.create(host=players[0], deal=deal, created_at=at, starts_at=at, **terms)
    for player in players:
        race.racers.create(player=player, joined_at=at)
    course.advance([race.pk], at)
    for game in race.racers.order_by("pk").values_list("game", flat=True):
        _play_on(game, at, chance)
    course.advance([race.pk], at + timedelta(seconds=600))
    rate_races(at)


def _play_on(game_id: str, now: datetime, chance: random.Random) -> None:
    """Play a game, and give it up unless it ends by itself."""
    from games.rules import GameOver  # noqa: PLC0415
    from tests.games.ways_to_play import commit, loaded_session  # noqa: PLC0415

    session = loaded_session(game_id, now)
    for _ in range(chance.randrange(20, 90)):
        if not (legal := session.play.legal_moves):
            break
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
