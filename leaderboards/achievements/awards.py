"""Award achievements when games or cups are counted or seasons closed, to many at once, and again after a recount."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime

from django.db.models import QuerySet

from games.notifications.notifications import notify
from games.play.models import Game
from games.play.scores import counting
from games.players.models import Player
from games.statistics.models import PlayedDays, Tally
from games.statistics.streaks import Days
from leaderboards.achievements.catalog import BY_CODE, Career, Win, codes_of_career, codes_of_win
from leaderboards.achievements.models import Award
from leaderboards.achievements.notifications import ACHIEVEMENT
from leaderboards.cups.results import careers_in_cups
from leaderboards.seasons.seasons import Place, standing_honours

Codes = Mapping[int, set[str]]
"""The codes of achievements by player."""

WIN_FIELDS = ("deal__rules", "moves", "elapsed_ms", "draws", "recycles", "undos")


def award_for_games(games: Collection[str], now: datetime) -> None:
    """Award what newly counted games earn. Call it in the transaction that counts them."""
    counted = Game.objects.filter(pk__in=games)
    players = set(counted.order_by().values_list("player", flat=True))
    _give(_deserved(players, counting(counted), now), now)


def award_for_careers(players: Collection[int], now: datetime) -> None:
    """Award what seasons and cups earn. Call it in the transaction that closes or counts one."""
    _give(_of_careers(players, now), now)


def award_again(players: Collection[int], now: datetime) -> None:
    """Award what all counted games of players earn, and take back achievements that no longer hold."""
    deserved = _deserved(players, counting(Game.objects.filter(player__in=players)), now)
    taken = [
        pk
        for pk, player, code in Award.objects.filter(player__in=players).values_list("pk", "player", "code")
        if code not in deserved[player]
    ]
    Award.objects.filter(pk__in=taken).delete()
    _give(deserved, now)


def awards_of(player: Player) -> list[Award]:
    """Return the awards of a player, newest first, without those whose achievement no longer exists."""
    awards = Award.objects.filter(player=player, code__in=BY_CODE)
    return list(awards.order_by("-at", "code"))


def _deserved(players: Collection[int], games: QuerySet[Game], now: datetime) -> Codes:
    """Return the achievements that players have earned by their careers, and by their wins among some games.

    Wins on secret deals are left out, because an achievement could reveal something about the deal. They are counted a
    second time when the deal is public.
    """
    deserved = _of_careers(players, now)
    public = games.filter(status=Game.Status.WON, hints=0, uncounted=None)
    wins = public.order_by().values_list("player", *WIN_FIELDS)
    for player, *fields in wins.iterator():
        deserved[player] |= codes_of_win(Win(*fields))
    return deserved


def _of_careers(players: Collection[int], now: datetime) -> defaultdict[int, set[str]]:
    tallies: defaultdict[int, list[Tally]] = defaultdict(list)
    for tally in Tally.objects.filter(player__in=players).order_by():
        tallies[tally.player_id].append(tally)
    seasons: defaultdict[int, list[Place]] = defaultdict(list)
    for player, rank, top in standing_honours().filter(player__in=players).values_list("player", "rank", "top"):
        seasons[player].append(Place(rank, top))
    cups = careers_in_cups(players)
    days = {row.player_id: row for row in PlayedDays.objects.filter(pk__in=players)}
    deserved: defaultdict[int, set[str]] = defaultdict(set)
    for player in players:
        row = days.get(player)
        career = Career(
            tallies=tallies[player],
            days_played=Days.from_data(row.played).rested_streak(now.date()).longest if row else 0,
            days_won=Days.from_data(row.won).streak(now.date()).longest if row else 0,
            seasons=seasons[player],
            cups=cups.get(player, ()),
        )
        deserved[player] = codes_of_career(career)
    return deserved


def _give(deserved: Codes, now: datetime) -> None:
    """Store the achievements that players have earned and do not have yet, and notify the players."""
    had = set(Award.objects.filter(player__in=deserved).order_by().values_list("player", "code"))
    new: defaultdict[str, list[int]] = defaultdict(list)
    for player in sorted(deserved):
        for code in sorted(deserved[player]):
            if (player, code) not in had:
                new[code].append(player)
    Award.objects.bulk_create(
        [Award(player_id=player, code=code, at=now) for code, players in new.items() for player in players],
        ignore_conflicts=True,
    )
    for code, players in new.items():
        notify(ACHIEVEMENT, {player: {"code": code} for player in players}, code, now)
