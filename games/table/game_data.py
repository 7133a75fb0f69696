"""The data about a game for the scripts of its page. It contains no cards."""

from datetime import datetime, timedelta
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.calendar.dailies import dailies_of
from games.deals.daily import DailyState
from games.play.models import Game
from games.play.sessions import deadline_of
from games.play.visibility import is_game_public, race_of
from games.play.words import word
from games.players.models import Player
from games.rule_sets.pairs import goal_cards
from games.rules import RULE_SETS, RuleSet
from games.statistics.statistics import best_of

# The clocks of page and server are compared once; nearer to midnight the game's own socket is opened.
BEFORE_MIDNIGHT = timedelta(minutes=1)


def game_data(game: Game, reader: Player | None, mode: str, now: datetime) -> dict[str, Any]:
    """Return a game as the scripts of its page need it."""
    return {
        "id": game.id,
        "mode": mode,
        "rules": game.deal.rule_set.fields,
        "socket": f"/ws/games/{game.id}/",
        "day": _socket_of_day(game, mode, now),
        "has_begun": game.started_at is not None,
        "left_ms": _left_ms(game, now),
        "is_public": is_game_public(game, now),
        "may_ask": reader is not None,
        "about": _about(game, reader, now),
    }


def _socket_of_day(game: Game, mode: str, now: datetime) -> dict[str, Any] | None:
    """Return the socket of today's deal, which opens an attempt that has not begun, and for how many ms it does."""
    if game.daily is None or mode != "play" or game.started_at is not None:
        return None
    left = game.daily.key.closes_at - BEFORE_MIDNIGHT - now
    return {"socket": f"/ws/daily/{game.daily.rules}/", "ms": max(0, left // timedelta(milliseconds=1))}


def _left_ms(game: Game, now: datetime) -> int:
    """Return for how many ms more a game may be played, 0 where it is over or no time is set."""
    deadline = None if game.is_over else deadline_of(game)
    return max(0, ((deadline or now) - now) // timedelta(milliseconds=1))


def next_rules(game: Game, now: datetime) -> RuleSet | None:
    """Return the rules of an open daily deal that the player of one has not begun, None if there is none."""
    if game.daily is None:
        return None
    siblings = [daily for daily in dailies_of(game.daily.day) if daily.division == game.daily.division]
    begun = set(game.player.games.filter(daily__in=siblings).values_list("daily", flat=True))
    left = (daily for daily in siblings if daily.pk not in begun and daily.key.state(now) is DailyState.OPEN)
    return next((RULE_SETS[daily.rules] for daily in left), None)


def hello(rules: RuleSet) -> str:
    """Return the line of help in a first game."""
    texts = {
        "thirteen": _("Tap two free cards that make 13. A king goes alone."),
        "dozen": _("Tap two free cards that make 12, or a queen and a king."),
        "eleven": _("Tap two free cards that make 11, or two equal picture cards."),
        "adjacent": _("Tap two free cards of equal or neighbouring rank."),
    }
    return texts[rules.match.value]


def _about(game: Game, reader: Player | None, now: datetime) -> dict[str, Any]:
    best = best_of(reader, game.deal.rules, game.kind, now) if reader else None
    is_own = reader is not None and reader.pk == game.player_id
    return {
        "game": game.id,
        "handle": game.player.username,
        "is_own": is_own,
        "is_ranked": is_own and game.is_ranked,  # the sentences about places are for the player
        "cards": goal_cards(game.deal.rule_set),
        "boards": boards_of_game(game),
        "deal": None if game.daily or race_of(game.deal) or game.deal.is_of_retest else game.deal_id,
        "best": best and {"moves": best.moves, "elapsed_ms": best.elapsed_ms},
        "share": f"Pyramid {date_format(game.daily.day, 'SHORT_DAY')}"
        if game.daily
        else f"Pyramid, {word(game.deal.rule_set.title)}",
        "page": f"/days/{game.daily.day.isoformat()}/?game={game.id}"
        if game.daily
        else f"/deals/{game.deal_id}/?game={game.id}",
    }


def boards_of_game(game: Game) -> list[dict[str, str]]:
    """Return the names of the score tables of a ranked game's day."""
    if game.daily is None:
        return []
    entrants = "-bots" if game.player.is_bot else ""
    stem = f"daily.{game.daily.day.isoformat()}.{game.daily.rules}.{game.daily.division}{entrants}"
    return [
        {"slug": f"{stem}.fewest-moves", "title": _("Fewest moves")},
        {"slug": f"{stem}.fastest", "title": _("Fastest")},
    ]
