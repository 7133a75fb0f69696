"""The draw of a cup: from it on, entrants and seeds are fixed."""

from collections.abc import Sequence
from datetime import datetime

from games.cups.bracket import divisions
from games.cups.ending import end_cup
from games.cups.models import Cup, CupEntry
from games.cups.rounds import draw_round

FEWEST_ENTRANTS = 2


def draw(cup: Cup, players: Sequence[int], now: datetime) -> None:
    """Fix the seeds, the divisions and the first rounds of players, the best first; too few cancel the cup."""
    if len(players) < FEWEST_ENTRANTS:
        end_cup(cup, Cup.End.TOO_FEW, now)
        return
    for number, seeds in enumerate(divisions(len(players)), 1):
        CupEntry.objects.bulk_create(
            CupEntry(cup=cup, player_id=players[seed - 1], seed=seed, division=number) for seed in seeds
        )
        draw_round(cup, number, now)
    cup.seeded_at = now
    cup.save(update_fields=["seeded_at"])
