"""Make races that have just begun and print, for each racer, the sockets of the race and of the game, and the token.

The last line is about a player of a game that belongs to no race.
"""

from __future__ import annotations

import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402

from games.accounts.guests import create_guest  # noqa: E402
from games.calendar.models import Deal  # noqa: E402
from games.play.starting import start_ranked  # noqa: E402
from games.races import course  # noqa: E402
from games.races.models import Race, Racer  # noqa: E402
from tests.games.conftest import DECK  # noqa: E402

rooms, racers = map(int, sys.argv[1:])
now = timezone.now()
TERMS = {"tie_break": "time", "limit_s": 3600, "countdown_s": 0, "is_public": True, "admits_bots": False}
for _ in range(rooms):
    guests = [create_guest() for _ in range(racers)]
    tokens = {guest.player.pk: guest.token for guest in guests}
    deal = Deal.objects.create(rules="relaxed", deck=DECK, created_at=now, is_winnable=True)
    race = Race.objects.create(deal=deal, created_at=now, starts_at=now, **TERMS)
    Racer.objects.bulk_create(Racer(race=race, player=guest.player, joined_at=now) for guest in guests)
    course.advance([race.pk], now)
    for player, game in race.racers.values_list("player", "game"):
        print(f"/ws/races/{race.pk}/", f"/ws/games/{game}/", tokens[player])
other = create_guest()
print("-", f"/ws/games/{start_ranked(other.player, 'standard', now).id}/", other.token)
