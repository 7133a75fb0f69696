"""The duels on the page of a club, and the forms with which officers propose and answer them."""

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.calendar.programme import scheduled
from games.players.models import Player
from games.rules import RULE_SETS
from leaderboards.boards.catalog import POINTS, BoardKey, Period
from leaderboards.clubs.duel_results import Sides, sides_of
from leaderboards.clubs.duels import MOST_DAYS_AHEAD, Challenge, answer, duels_of, propose
from leaderboards.clubs.emblems import read_emblem
from leaderboards.clubs.models import Club, Duel
from leaderboards.clubs.reading import KnownClub, clubs_led_by

ACTS = {"accept_duel": "accept", "decline_duel": "decline", "withdraw_duel": "withdraw"}


def duels_on_page(known: KnownClub, now: datetime) -> dict[str, Any]:
    """Return the duels of a club, and the clubs and weeks with which its reader can propose one."""
    duels = duels_of(known.club, now, is_led=known.is_led)
    shown = [_shown(duel, known.club, sides) for duel, sides in zip(duels, sides_of(duels, now), strict=True)]
    own = [club for club in clubs_led_by(known.reader) if club != known.club] if known.reader else []
    choices = {"weeks": _coming_weeks(now), "coming_deals": _coming_deals(now)} if own else {}
    return {"duels": shown, "own_clubs": own, **choices}


def act_on_duel(request: HttpRequest, reader: Player, club_id: str, now: datetime) -> None:
    """Carry out what a form about a duel says; a proposal is made on the page of the other club."""
    act, field = request.POST.get("act", ""), request.POST.get
    if act == "propose_duel":
        rules, _dot, division = field("deal", "").partition(".")
        propose(field("own", ""), reader, Challenge(club_id, field("week", ""), rules, division), now)
    else:
        answer(club_id, reader, field("duel", ""), ACTS[act], now)


def _coming_weeks(now: datetime) -> list[str]:
    monday = Period.WEEKLY.first_day(now.date())
    return [Period.WEEKLY.date_text(monday + timedelta(days=days)) for days in range(7, MOST_DAYS_AHEAD + 1, 7)]


def _coming_deals(now: datetime) -> dict[str, str]:
    """Return the deals of which the programme has days in the coming weeks, in its order, the default one first."""
    coming = [deal.key for deal in scheduled(now.date() + timedelta(days=1), MOST_DAYS_AHEAD)]
    deals = {(Challenge.rules, Challenge.division): None} | {(key.rules, key.division): None for key in coming}
    return {f"{rules}.{division}": _title(rules, division) for rules, division in deals}


def _shown(duel: Duel, club: Club, sides: Sides | None) -> dict[str, Any]:
    """Return a duel as the template shows it, the club itself on the left."""
    key = BoardKey.parse(duel.board)
    points = [0 if side is None else key.order.unpack(side)[POINTS.name] for side in sides or ()]
    is_challenger = duel.challenger == club
    other = duel.opponent if is_challenger else duel.challenger
    winner = None if sides is None or sides.winner is None else duel.clubs[sides.winner]
    return {
        "duel": duel,
        "other": other,
        "winner": winner,
        "crests": [read_emblem(each.emblem) for each in (duel.clubs if is_challenger else duel.clubs[::-1])],
        "score": points if is_challenger else points[::-1],
        "table": _title(key.rules, key.division),
        "week": Period.WEEKLY.date_text(duel.week),
        "last_day": key.last,
        "is_final": hasattr(duel, "result"),
        "is_offered": duel.state == Duel.State.OFFERED,
        "is_ours": is_challenger,
    }


def _title(rules: str, division: str) -> str:
    return f"{_(RULE_SETS[rules].title)}, {_(division)}"
