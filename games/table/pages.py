"""Start games, and show the one page on which a game is played, watched and replayed."""

from datetime import datetime
from typing import Any

from asgiref.sync import async_to_sync
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST
from rest_framework.exceptions import Throttled

from games.accounts.visitors import player_of
from games.cups.reading import cup_of
from games.doors.pages import form_page, see_other, sentence
from games.doors.refusals import Refusal
from games.play import retests
from games.play.live import requests
from games.play.live.starting import start_ranked
from games.play.models import Game
from games.play.pages import dealt, make_room_for_practice
from games.play.refusals import AlreadyAttempted, NoOpenDaily, NotYours, UnknownGame
from games.play.sessions import find_game
from games.play.visibility import is_game_public, may_practise, policy_now, race_of, require_watchable
from games.players.models import Player
from games.players.readers import explanation, page, reader_of
from games.rule_sets.pairs import goal_cards, rank_pairs
from games.rules import UnknownRuleSet
from games.runtime.clock import clock
from games.statistics.statistics import statistics_of
from games.table.game_data import game_data, hello, next_rules


class NotShown(NotYours):
    """A game that its reader may not see yet; the message is in the reader's language."""


@form_page
def today(request: HttpRequest, rules: str) -> HttpResponse:
    """Start today's ranked attempt, or continue it; an unknown visitor becomes a guest."""
    if request.method != "POST":
        return redirect("web:home")
    try:
        game, _is_new = async_to_sync(start_ranked)(player_of(request), rules, clock.now())
        return dealt(game.id)
    except AlreadyAttempted as refusal:
        return see_other("web:game", refusal.details["game"])
    except UnknownRuleSet as error:
        raise Http404(str(error)) from error
    except NoOpenDaily:
        text = _(
            "There is no daily deal with these rules right now. A new day begins at 00:00 UTC; practice is always open."
        )
        return explanation(request, _("No deal is open"), text, status=409, section="today")
    except (Refusal, Throttled) as error:
        return refusal_page(request, error)


@require_POST
@never_cache
def again(request: HttpRequest, game_id: str) -> HttpResponse:
    """Restart the deal of one of the player's games."""
    try:
        player, now = player_of(request), clock.now()
        found = find_game(game_id)
        if found.is_over and not found.is_ranked:
            make_room_for_practice(player, now)
        return dealt(async_to_sync(requests.restart)(game_id, player, now))
    except UnknownGame as error:
        raise Http404(str(error)) from error
    except (Refusal, Throttled) as error:
        return refusal_page(request, error)


@form_page
@gzip_page
def game(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show a game; a POST turns an unknown visitor into a guest, who may watch."""
    now = clock.now()
    try:
        found = find_game(game_id)
    except UnknownGame as error:
        raise Http404(str(error)) from error
    try:
        if request.method == "POST":
            player_of(request)
            return see_other("web:game", game_id)
    except (Refusal, Throttled) as error:
        return refusal_page(request, error)
    reader = reader_of(request)
    try:
        mode = mode_of(found, reader, now)
    except NotYours as error:
        return _not_shown(request, found, error)
    context = _context(found, reader, mode, now)
    section = "today" if found.daily else "races" if context["race"] or context["cup"] else "practice"
    return page(request, "games/game.html", context, section=section)


def mode_of(game: Game, reader: Player | None, now: datetime) -> str:
    """Return `play`, `watch` or `replay`: what the reader may do with a game. Raises `NotYours`."""
    is_own = reader is not None and reader.pk == game.player_id
    if is_own:
        return "replay" if game.is_over else "play"
    if game.is_over and (is_game_public(game, now) or retests.may_follow(game, reader)):
        return "replay"
    if game.deal.is_of_retest and not retests.may_follow(game, reader):
        raise NotShown(_("It is between its player and the reviewers."))
    if game.is_over:
        raise NotShown(_("Its deal can still be played for a score. Come back when its day or race is over."))
    if reader is None:
        raise NotShown(_("Sign in or continue as a guest to watch it."))
    if game.started_at is None:
        raise NotShown(_("It has not begun yet."))
    require_watchable(game, reader, now)
    return "watch"


def refusal_page(request: HttpRequest, error: Exception) -> HttpResponse:
    """Render a page with the reason for a refusal."""
    status = 429 if isinstance(error, Throttled) else 409
    return explanation(request, _("That is not possible now"), sentence(error), status=status)


def _not_shown(request: HttpRequest, game: Game, error: NotYours) -> HttpResponse:
    can_watch = reader_of(request) is None and not game.is_over and game.started_at is not None
    context = {
        "title": _("This game is not public yet"),
        "text": str(error) if isinstance(error, NotShown) else sentence(error),
        "watch": game.id if can_watch else None,
    }
    return page(request, "games/explanation.html", context, status=403)


def _context(game: Game, reader: Player | None, mode: str, now: datetime) -> dict[str, Any]:
    is_own = reader is not None and reader.pk == game.player_id
    cup = cup_of(game)
    data = game_data(game, reader, mode, now) | {"policy": policy_now(game, now).data}
    return {
        "game": game,
        "rules": game.deal.rule_set,
        "mode": mode,
        "race": None if cup else race_of(game.deal) if hasattr(game, "racer") else None,
        "cup": cup,
        "retest": retests.address(game, is_own=is_own) if game.deal.is_of_retest else "",
        "data": data,
        "pairs": rank_pairs(game.deal.rule_set),
        "goal_cards": goal_cards(game.deal.rule_set),
        "board": data["about"]["boards"][0]["slug"] if game.is_ranked else None,
        "may_restart": is_own and game.policy.restart,
        "may_practise": may_practise(game.deal, reader, now),
        "is_own": is_own,
        "streak": statistics_of(game.player, reader, now).played if is_own and game.daily else None,
        "next_rules": next_rules(game, now) if mode == "play" else None,
        "hello": hello(game.deal.rule_set),
    }


urlpatterns = [
    path("play/<slug:rules>/", today, name="today"),
    path("games/<slug:game_id>/", game, name="game"),
    path("games/<slug:game_id>/again/", again, name="again"),
]
