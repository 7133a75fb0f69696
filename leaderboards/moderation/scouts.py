"""Scouts: won games whose deal a linked account had looked through before. They stay provisional until examined."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec
from django.db.models import Count, Q, QuerySet

from games.calendar.models import DailyDeal
from games.play.models import Game, Move
from games.rules import DRAW
from leaderboards.detectors.scouting import LEFT, Crowd, Scouting, crowd_of, drew_through_and_left, finding
from leaderboards.moderation.evidence_models import KeptFinding, Trace
from leaderboards.moderation.links import linked_to

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
    winners = list(won.select_related("daily__deal"))
    scouts = _scouts({game.daily_id for game in winners if game.daily_id}, {game.player_id for game in winners})
    looks = [look for game in winners if (look := _look_before(game, scouts.get(game.daily_id or 0, ())))]
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
    ended = daily.attempts.exclude(status=Game.Status.PLAYING).values_list("status", "draws", "cards_left")
    return crowd_of(daily.deal.rule_set, ((status, draws or 0, left or 0) for status, draws, left in ended))


def _scouts(dailies: Collection[int], winners: Collection[int]) -> dict[int, list[Attempt]]:
    """Return the attempts at some deals that drew through the stock and left, of accounts that share anything with one
    of the winners, by deal."""
    if not winners:
        return {}
    marks = Trace.objects.filter(player__in=winners).values("mark")
    shared = Q(player__traces__mark__in=marks) | Q(player__owner__in=winners) | Q(player__bots__in=winners)
    attempts = Game.objects.filter(shared, daily__in=dailies, status__in=(*LEFT, Game.Status.PLAYING))
    rows = attempts.filter(started_at__isnull=False).order_by().distinct()
    fields = ("pk", "player", "daily", "status", "draws", "cards_left", "started_at", "finished_at")
    known = [Attempt._make(row) for row in rows.values_list(*fields)]
    playing = [one.game for one in known if one.finished_at is None]
    drawn = Move.objects.filter(game__in=playing, action=DRAW.text).order_by().values_list("game")
    draws = dict(drawn.annotate(Count("version")))
    rules = {daily.pk: daily.deal.rule_set for daily in DailyDeal.objects.filter(pk__in=dailies).select_related("deal")}
    found: dict[int, list[Attempt]] = defaultdict(list)
    for one in known:
        # Who went away in the middle of a game has left too; its cards are counted once the game has expired.
        ended = one._replace(status=LEFT[0], draws=draws.get(one.game, 0), cards_left=rules[one.daily].deck_size)
        judged = ended if one.finished_at is None else one
        if drew_through_and_left(rules[one.daily], judged.status, judged.draws, judged.cards_left):
            found[one.daily].append(one)
    return found


def _look_before(game: Game, scouts: Sequence[Attempt]) -> Scouting | None:
    """Return the firmest link of a won game to a scout who had left before it began."""
    start = game.started_at
    earlier = [scout for scout in scouts if start and scout.player != game.player_id and _left_at(scout) <= start]
    links = linked_to(game.player_id) if earlier else {}
    linked = [scout for scout in earlier if scout.player in links]
    if not linked or start is None or game.daily is None:
        return None
    scout = max(linked, key=lambda one: links[one.player])
    minutes = round((start - _left_at(scout)).total_seconds() // 60)
    return Scouting(game.pk, str(scout.player), scout.game, minutes, links[scout.player], crowd_at(game.daily))


def _left_at(scout: Attempt) -> datetime:
    return scout.finished_at or scout.started_at
