"""The proof of a game's result as a file."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.tlog.pages import as_file
from games.tlog.proofs import NotLogged
from leaderboards.audit.refusals import NotSealed
from leaderboards.audit.sealing import log_proof_of


@require_safe
@cache_control(public=True, max_age=2)
def proof_of_game(request: HttpRequest, game_id: str) -> HttpResponse:
    """Serve the proof that the result of a game is in the log, to be checked offline with its record."""
    try:
        return as_file(log_proof_of(game_id), game_id)
    except (NotLogged, NotSealed) as error:
        raise Http404(str(error)) from error


urlpatterns = [path("tlog/proof/games/<slug:game_id>", proof_of_game, name="log-proof-of-game")]
