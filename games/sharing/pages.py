"""Pictures of days, results and races, which previews of links show."""

from __future__ import annotations

from datetime import UTC, date, datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from games.calendar.dailies import dailies_of
from games.doors.pages import clock_text
from games.play.models import Game
from games.play.refusals import NotYours, UnknownGame
from games.play.sessions import find_game
from games.races.models import Race
from games.rules import RULE_SETS, RuleSet
from games.sharing.pictures import BACK, TAGLINE, Picture, png_of
from games.sharing.shades import Peak, shades_of


@require_safe
@conditional_page
@cache_control(public=True, max_age=3600)
def day(request: HttpRequest, day: str) -> HttpResponse:
    """Serve the picture of a day: its first layout with the cards face down."""
    try:
        asked = date.fromisoformat(day)
    except ValueError as error:
        raise Http404(f"{day!r} is not a day") from error
    dailies = dailies_of(asked) if asked <= datetime.now(UTC).date() else []
    if not dailies:
        raise Http404(f"there is no daily deal on {day}")
    rules = min((RULE_SETS[daily.rules] for daily in dailies), key=lambda one: list(RULE_SETS).index(one.slug))
    return _png(Picture(face_down(rules), asked.isoformat(), (TAGLINE,)))


@require_safe
@conditional_page
@cache_control(public=True, max_age=300)  # when its day is over, the shades are in their places
def result(request: HttpRequest, game_id: str) -> HttpResponse:
    """Serve the picture of a finished game as anyone may see it."""
    try:
        game = find_game(game_id)
        peaks = shades_of(game, None, datetime.now(UTC)).peaks
    except (UnknownGame, NotYours) as error:
        raise Http404(str(error)) from error
    return _png(Picture(peaks, _title(game), (_moves(game), clock_text(game.elapsed_ms or 0))))


@require_safe
@conditional_page
@cache_control(public=True, max_age=3600)
def race(request: HttpRequest, race_id: str) -> HttpResponse:
    """Serve the picture of a race; one by invite looks like any, so that nobody learns whether it exists."""
    found = Race.objects.filter(pk=race_id, is_public=True).select_related("deal").first()
    rules = found.deal.rule_set if found else RULE_SETS["standard"]
    lines = (_ascii(rules.title),) if found else ()
    return _png(Picture(face_down(rules), "A race", (*lines, TAGLINE)))


def face_down(rules: RuleSet) -> tuple[Peak, ...]:
    return tuple(tuple((BACK,) * length for length in peak.row_lengths) for peak in rules.tableau)


def _title(game: Game) -> str:
    return game.daily.day.isoformat() if game.daily else _ascii(game.deal.rule_set.title)


def _moves(game: Game) -> str:
    if game.cards_left:
        return f"{game.cards_left} card{'' if game.cards_left == 1 else 's'} left"
    return f"{game.moves} move{'' if game.moves == 1 else 's'}"


def _ascii(title: str) -> str:
    return title.replace("\u2019", "'").encode("ascii", "ignore").decode()


def _png(picture: Picture) -> HttpResponse:
    return HttpResponse(png_of(picture), content_type="image/png")


urlpatterns = [
    path("pictures/days/<slug:day>.png", day, name="picture-of-day"),
    path("pictures/games/<slug:game_id>.png", result, name="picture-of-game"),
    path("pictures/races/<slug:race_id>.png", race, name="picture-of-race"),
]
