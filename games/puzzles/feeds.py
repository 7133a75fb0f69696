"""The puzzle of the day as an Atom feed (RFC 4287); solutions are in none of its entries."""

import hashlib
from datetime import UTC, date, datetime, time

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe

from games.puzzles.days import PuzzleDay, days_until
from games.puzzles.library import find_puzzle
from games.runtime.clock import clock

DAYS = 14


class PuzzlesOfDays(Feed):  # type: ignore[type-arg]  # generic for type checkers alone
    """The puzzles of the last days, newest first."""

    feed_type = Atom1Feed
    title = gettext_lazy("Puzzle of the day")
    subtitle = gettext_lazy(
        "A new position every day, the same for everyone. Only one removal keeps it winnable: find it."
    )
    author_name = "Pyramid"

    def link(self) -> str:
        return reverse("web:puzzle-days")

    def items(self) -> list[PuzzleDay]:
        return days_until(_today())[:DAYS]

    def item_title(self, item: PuzzleDay) -> str:
        return _("Puzzle of %(day)s") % {"day": date_format(item.day, "LONG_DATE")}

    def item_description(self, item: PuzzleDay) -> str:
        choices = find_puzzle(item.puzzle).choices
        text = ngettext(
            "%(choices)s removal is possible here, counting the cards that you can draw.",
            "%(choices)s removals are possible here, counting the cards that you can draw. After one of them the "
            "pyramid can still be cleared; after the others it cannot.",
            choices,
        )
        return text % {"choices": choices}

    def item_link(self, item: PuzzleDay) -> str:
        return reverse("web:puzzle", args=[item.puzzle])

    def item_guid(self, item: PuzzleDay) -> str:
        """Return the id of an entry: a puzzle may come again on another day."""
        return f"tag:pyramid,{item.day}:puzzle"

    def item_pubdate(self, item: PuzzleDay) -> datetime:
        return datetime.combine(item.day, time(), UTC)

    item_updateddate = item_pubdate


def _today() -> date:
    return clock.now().astimezone(UTC).date()


def _version(request: HttpRequest) -> str:
    """Return an ETag: it changes with the day, its puzzle, the language and the server's name."""
    newest = days_until(_today())[0]
    return hashlib.sha256(f"{request.build_absolute_uri()} {get_language()} {newest}".encode()).hexdigest()[:32]


@require_safe
@condition(etag_func=_version)
@cache_control(public=True, max_age=300)
@gzip_page
def puzzles(request: HttpRequest) -> HttpResponse:
    """Serve the feed."""
    return HttpResponse(PuzzlesOfDays()(request).content, content_type=Atom1Feed.content_type)


urlpatterns = [path("feeds/puzzles/", puzzles, name="puzzles-feed")]
