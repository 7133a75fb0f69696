"""The results of past days as an Atom feed (RFC 4287)."""

from datetime import datetime
from typing import Any

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page, require_safe

from games.players.names import TOPIC
from games.rules import RULE_SETS
from games.runtime.clock import clock
from games.runtime.memory import Memory
from leaderboards.boards.past_days import Day, days_over
from leaderboards.boards.reading import top_of, view_of

ROWS = 3
KEPT_SECONDS = 3600
MOST_KEPT = 20


class Results(Feed):  # type: ignore[type-arg]  # generic for type checkers alone
    """The first places of the last days, newest first; a day changes when it becomes final."""

    feed_type = Atom1Feed
    title = gettext_lazy("Pyramid: results")
    subtitle = gettext_lazy("The first places of each day.")
    author_name = "Pyramid"
    description_template = "leaderboards/day_in_feed.html"

    def link(self) -> str:
        return reverse("web:days")

    def items(self) -> list[Day]:
        return days_over(clock.now())

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        tables = [
            {"key": board.key, "rules": RULE_SETS[board.key.rules], "rows": top_of(view_of(board), ROWS).rows}
            for board in context["item"].boards
        ]
        return {**super().get_context_data(**context), "tables": tables}

    def item_title(self, item: Day) -> str:
        day = {"day": item.key.day}
        return _("Results of %(day)s, final") % day if item.is_final else _("Results of %(day)s") % day

    def item_link(self, item: Day) -> str:
        return reverse("web:day", args=[item.key.day.isoformat()])

    def item_pubdate(self, item: Day) -> datetime:
        return item.key.finish_by

    def item_updateddate(self, item: Day) -> datetime:
        return item.key.final_at if item.is_final else item.key.finish_by


_kept: Memory[bytes] = Memory(TOPIC, MOST_KEPT, seconds_of=lambda body: KEPT_SECONDS)


@require_safe
@gzip_page
@conditional_page
@cache_control(public=True, max_age=300)
def results(request: HttpRequest) -> HttpResponse:
    """Serve the feed, which is kept until a day, a table or a name changes, for an hour at most."""
    days = [
        (day.key.day, day.is_final, [(board.slug, board.version) for board in day.boards])
        for day in days_over(clock.now())
    ]
    version = f"{request.build_absolute_uri()} {get_language()} {days}"
    body = _kept.get(version, lambda: Results()(request).content) or b""
    return HttpResponse(body, content_type=Atom1Feed.content_type)


urlpatterns = [
    path("feeds/results/", results, name="results-feed"),
]
