"""Pages for practice. A game is played by a client; a page starts it and says how to reach it."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.errors import NotYours, UnknownGame
from games.kit.errors import Refusal
from games.models import Player
from games.services.sessions import readable_game
from games.services.visibility import is_shared, may_practise
from games.web.practice_form import PracticeForm
from games.web.views import reader_of


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def practice(request: HttpRequest) -> HttpResponse:
    """Start a game for whoever is signed in; show everybody else the request that does so over the API."""
    asked = request.POST if request.method == "POST" else request.GET
    form = PracticeForm(asked) if asked else PracticeForm()
    if request.method == "POST" and isinstance(request.user, Player) and form.is_valid():
        try:
            return redirect("web:game", form.start(request.user, datetime.now(UTC)).id)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
    body = json.dumps(form.request) if form.is_bound and form.is_valid() else None
    return render(
        request, "games/practice.html", {"form": form, "body": body, "origin": request.build_absolute_uri("/")}
    )


@require_safe
@never_cache
def game(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show a game of the reader's own, or anyone's that may be told, without its cards."""
    reader, now = reader_of(request), datetime.now(UTC)
    try:
        game = readable_game(game_id, reader, now)
    except (UnknownGame, NotYours) as error:
        raise Http404(str(error)) from error
    scheme = "wss" if request.is_secure() else "ws"
    context = {
        "game": game,
        "rules": game.deal.rule_set,
        "socket": f"{scheme}://{request.get_host()}/ws/games/{game.id}/",
        "may_practise": may_practise(game.deal, reader, now),
        "is_shared": is_shared(game.deal, now),
    }
    return render(request, "games/game.html", context)
