"""The chain of commitments as Atom feeds that anyone may archive (RFC 4287, pages as in RFC 5005)."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.xmlutils import SimplerXMLGenerator
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe

from games.calendar.dailies import commitments, newest_commitment
from games.calendar.models import DailyDeal

LINKS_A_PAGE = 100
ATOM = "application/atom+xml; charset=utf-8"


class LinksFeed(Atom1Feed):
    """Atom whose pages lead to the ones before; `archive` marks a page that never changes."""

    def root_attributes(self) -> dict[str, str]:
        return {**super().root_attributes(), "xmlns:fh": "http://purl.org/syndication/history/1.0"}

    def add_root_elements(self, handler: SimplerXMLGenerator) -> None:
        super().add_root_elements(handler)
        if self.feed["is_archive"]:
            handler.addQuickElement("fh:archive")
        if before := self.feed["before"]:
            handler.addQuickElement("link", "", {"rel": "prev-archive", "href": before})


def _newest(request: HttpRequest) -> str:
    newest = newest_commitment()
    return f'"{newest.link if newest else ""}"'


@require_safe
@condition(etag_func=_newest)
@cache_control(public=True, no_cache=True)
@gzip_page
def links(request: HttpRequest) -> HttpResponse:
    """Serve the links of the last, incomplete page; it leads to the full pages before."""
    newest = newest_commitment()
    number = (newest.number - 1) // LINKS_A_PAGE if newest else 0
    return _page(request, number, is_archive=False)


@require_safe
@cache_control(public=True, max_age=604800, immutable=True)
@gzip_page
def archived_links(request: HttpRequest, number: int) -> HttpResponse:
    """Serve a full page of links; the first page has number 0."""
    return _page(request, number, is_archive=True)


def _page(request: HttpRequest, number: int, *, is_archive: bool) -> HttpResponse:
    made = commitments(number * LINKS_A_PAGE, LINKS_A_PAGE)
    if is_archive and len(made) < LINKS_A_PAGE:
        raise Http404(f"there is no full page {number} of links")
    feed = LinksFeed(
        title="Pyramid: links of the chain of commitments",
        link=request.build_absolute_uri(reverse("web:fairness")),
        description="Archive this, and nobody can exchange what was committed to.",
        feed_url=request.build_absolute_uri(),
        author_name="Pyramid",
        is_archive=is_archive,
        before=request.build_absolute_uri(reverse("web:archived-links", args=[number - 1])) if number else None,
    )
    for daily in made:
        _add(feed, daily)
    response = HttpResponse(content_type=ATOM)
    feed.write(response, "utf-8")
    return response


def _add(feed: LinksFeed, daily: DailyDeal) -> None:
    """Add a link with everything in it, so that the chain can be recomputed from the entries."""
    feed.add_item(
        title=f"{daily.number}: {daily.key}",
        link=f"{feed.feed['link']}?day={daily.day}#link-{daily.number}",
        description=f"{daily.number}:{daily.link} commitment {daily.commitment} grade {daily.grade or 'any'}",
        pubdate=daily.committed_at,
        updateddate=daily.committed_at,
    )


urlpatterns = [
    path("feeds/links/", links, name="links"),
    path("feeds/links/<int:number>/", archived_links, name="archived-links"),
]
