"""Pictures of the site, days, results and races, which previews of links show."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import wraps

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from games.calendar.dailies import dailies_of
from games.doors.pages import clock_text
from games.play.models import Game
from games.play.refusals import NotYours, UnknownGame
from games.play.sessions import find_game
from games.play.words import moves_text, word
from games.races.models import Race
from games.rules import RULE_SETS, RuleSet
from games.runtime.clock import clock
from games.sharing.pictures import BACK, Picture, png_of
from games.sharing.shades import Peak, shades_of


def in_language_of_link(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer in the language that the page with the link was in (`?lang=`): who fetches a preview asks for none."""

    @wraps(view)
    def answer(request: HttpRequest, *args: str, **more: str) -> HttpResponse:
        asked = request.GET.get("lang")
        with override(asked if asked in dict(settings.LANGUAGES) else get_language()):
            return view(request, *args, **more)

    return answer


@require_safe
@conditional_page
@in_language_of_link
@cache_control(public=True, max_age=3600)
def site(request: HttpRequest) -> HttpResponse:
    """Serve the picture of all pages that have none of their own."""
    return _png(Picture(face_down(RULE_SETS["standard"]), _("Pyramid Solitaire"), (_("One deal for all"),)))


@require_safe
@conditional_page
@in_language_of_link
@cache_control(public=True, max_age=3600)
def day(request: HttpRequest, day: str) -> HttpResponse:
    """Serve the picture of a day: its first layout with the cards face down."""
    try:
        asked = date.fromisoformat(day)
    except ValueError as error:
        raise Http404(f"{day!r} is not a day") from error
    dailies = dailies_of(asked) if asked <= clock.now().date() else []
    if not dailies:
        raise Http404(f"there is no daily deal on {day}")
    rules = min((RULE_SETS[daily.rules] for daily in dailies), key=lambda one: list(RULE_SETS).index(one.slug))
    return _png(Picture(face_down(rules), date_format(asked, "DATE_FORMAT"), (_("One deal for all"),)))


@require_safe
@conditional_page
@in_language_of_link
@cache_control(public=True, max_age=300)  # when its day is over, the shades are in their places
def result(request: HttpRequest, game_id: str) -> HttpResponse:
    """Serve the picture of a finished game as anyone may see it."""
    try:
        game = find_game(game_id)
        peaks = shades_of(game, None, clock.now()).peaks
    except (UnknownGame, NotYours) as error:
        raise Http404(str(error)) from error
    return _png(Picture(peaks, _title(game), (_moves(game), clock_text(game.elapsed_ms or 0))))


@require_safe
@conditional_page
@in_language_of_link
@cache_control(public=True, max_age=3600)
def race(request: HttpRequest, race_id: str) -> HttpResponse:
    """Serve the picture of a race; one by invite looks like any, so that nobody learns whether it exists."""
    found = Race.objects.filter(pk=race_id, is_public=True).select_related("deal").first()
    rules = found.deal.rule_set if found else RULE_SETS["standard"]
    lines = (word(rules.title),) if found else ()
    return _png(Picture(face_down(rules), _("A race"), (*lines, _("One deal for all"))))


def face_down(rules: RuleSet) -> tuple[Peak, ...]:
    return tuple(tuple((BACK,) * length for length in peak.row_lengths) for peak in rules.tableau)


def _title(game: Game) -> str:
    return date_format(game.daily.day, "DATE_FORMAT") if game.daily else word(game.deal.rule_set.title)


def _moves(game: Game) -> str:
    left = game.cards_left or 0
    if left:
        return ngettext("%(count)d card left", "%(count)d cards left", left) % {"count": left}
    return moves_text(game.moves or 0)


def _png(picture: Picture) -> HttpResponse:
    return HttpResponse(png_of(picture), content_type="image/png")


urlpatterns = [
    path("pictures/site.png", site, name="picture-of-site"),
    path("pictures/days/<slug:day>.png", day, name="picture-of-day"),
    path("pictures/games/<slug:game_id>.png", result, name="picture-of-game"),
    path("pictures/races/<slug:race_id>.png", race, name="picture-of-race"),
]
