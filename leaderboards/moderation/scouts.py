"""Scouts: won games whose deal a linked account had looked through before. They stay provisional until examined."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from functools import cache
from operator import itemgetter
from typing import NamedTuple

import msgspec
from django.db.models import Count, Q, QuerySet

from games.calendar.models import DailyDeal
from games.play.models import Game, Move
from games.players.models import Player
from games.rules import DRAW
from leaderboards.detectors.scouting import LEFT, Crowd, Scouting, crowd_of, drew_through_and_left, finding
from leaderboards.moderation.evidence_models import KeptFinding, Trace
from leaderboards.moderation.links import links_between

OPEN_DAY = "scouting on an open day"


class Attempt(NamedTuple):
    """An attempt without a win, which may still be waiting for its player."""

    game: str
    player: int
    daily: int
    status: str
    draws: int
    cards_left: int
    started_at: datetime
    finished_at: datetime | None


def keep_back(games: Sequence[str], now: datetime) -> set[str]:
    """Store a finding for each of the won games that follows a look of a linked account, and return those games."""
    won = Game.objects.filter(pk__in=games, status=Game.Status.WON, started_at__isnull=False, examination=None)
    winners = list(won.select_related("daily__deal").order_by())  # to sort them, PostgreSQL might read all games
    scouts = _scouts({game.daily_id for game in winners if game.daily_id}, {game.player_id for game in winners})
    looks = list(_looks_before(winners, scouts))
    found = [finding([look]) for look in looks]
    players = {game.pk: game.player_id for game in winners}
    KeptFinding.objects.bulk_create(
        KeptFinding(
            player_id=players[look.game],
            game_id=look.game,
            at=now,
            **{**msgspec.to_builtins(one), "detector": OPEN_DAY},
        )
        for look, one in zip(looks, found, strict=True)
        if one
    )
    return {look.game for look in looks}


def kept_back() -> QuerySet[KeptFinding, str]:
    """Return a query for the games that are kept back and not examined yet."""
    waiting = Q(game__examination=None) | Q(game__examination__evidence=None, game__examination__error="")
    return KeptFinding.objects.filter(waiting, detector=OPEN_DAY).order_by().values_list("game", flat=True)


def crowd_at(daily: DailyDeal) -> Crowd:
    """Return how the attempts at a deal have ended so far."""
    ended = daily.attempts.exclude(status=Game.Status.PLAYING).order_by().values_list("status", "draws", "cards_left")
    counts: Counter[tuple[str, int, int]] = Counter()
    for status, draws, left, number in ended.annotate(Count("pk")):
        counts[status, draws or 0, left or 0] += number
    return crowd_of(daily.deal.rule_set, counts)


def _scouts(dailies: Collection[int], winners: Collection[int]) -> list[Attempt]:
    """Return the attempts at some deals that drew through the stock and left, of accounts that share anything with one
    of the winners."""
    if not winners:
        return []
    marks = Trace.objects.filter(player__in=winners).values("mark")
    bots = Player.objects.filter(owner__in=winners).values("pk")
    owners = Player.objects.filter(pk__in=winners, owner__isnull=False).values("owner")
    met = Trace.objects.filter(mark__in=marks).values("player")
    shared = Q(player__in=met) | Q(player__in=bots) | Q(player__in=owners)
    attempts = Game.objects.filter(shared, daily__in=dailies, status__in=(*LEFT, Game.Status.PLAYING))
    rows = attempts.filter(started_at__isnull=False).order_by()
    fields = ("pk", "player", "daily", "status", "draws", "cards_left", "started_at", "finished_at")
    known = [Attempt._make(row) for row in rows.values_list(*fields)]
    playing = [one.game for one in known if one.finished_at is None]
    drawn = Move.objects.filter(game__in=playing, action=DRAW.text).order_by().values_list("game")
    draws = dict(drawn.annotate(Count("version")))
    rules = {daily.pk: daily.deal.rule_set for daily in DailyDeal.objects.filter(pk__in=dailies).select_related("deal")}
    found = []
    for one in known:
        # Who went away in the middle of a game has left too; its cards are counted once the game has expired.
        ended = one._replace(status=LEFT[0], draws=draws.get(one.game, 0), cards_left=rules[one.daily].deck_size)
        judged = ended if one.finished_at is None else one
        if drew_through_and_left(rules[one.daily], judged.status, judged.draws, judged.cards_left):
            found.append(one)
    return found


def _looks_before(winners: Sequence[Game], scouts: Sequence[Attempt]) -> Iterator[Scouting]:
    """Yield for each of the won games the firmest link to a scout who had left before it began, if there is one."""
    by_player: dict[tuple[int, int], list[Attempt]] = defaultdict(list)
    for scout in scouts:
        by_player[scout.daily, scout.player].append(scout)
    links = links_between({game.player_id for game in winners}, {scout.player for scout in scouts})
    crowd = cache(crowd_at)
    for game in winners:
        start, daily, linked = game.started_at, game.daily, links.get(game.player_id, {})
        if start is None or daily is None:
            continue
        attempts = (scout for player in linked for scout in by_player.get((daily.pk, player), ()))
        earlier = [(linked[scout.player], scout) for scout in attempts if _left_at(scout) <= start]
        if earlier:
            link, scout = max(earlier, key=itemgetter(0))
            minutes = round((start - _left_at(scout)).total_seconds() // 60)
            yield Scouting(game.pk, str(scout.player), scout.game, minutes, link, crowd(daily))


def _left_at(scout: Attempt) -> datetime:
    return scout.finished_at or scout.started_at
